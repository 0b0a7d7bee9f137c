// Visits with photos, for tests.
import sharp from 'sharp';
import { recordCalibrationSet } from '#app/recording/record-calibration-set.server.ts';
import { addTemporaryUpload } from '#app/files/temporary-upload.server.ts';
import { openFileStore } from '#app/platform/storage/file-store.server.ts';
import type { Person } from './people.ts';
import type { StartedRegistry } from './start-registry.ts';
import { liveVehicle, honestSet } from './visits.ts';

/** Uploads a picture of one colour. Returns the id of the temporary upload. */
export async function uploadPhoto(
  services: Parameters<typeof addTemporaryUpload>[0],
  { personId }: { personId: string },
  background = '#a01414',
): Promise<string> {
  const bytes = await sharp({ create: { width: 9, height: 9, channels: 3, background } })
    .jpeg()
    .toBuffer();
  const upload = await addTemporaryUpload(services, personId, { role: 'image', upload: { name: 'ticket.jpg', bytes } });
  if (!upload.added) throw new Error(upload.reason);
  return upload.id;
}

/** Records a visit with a photo to this truck of a running registry. Returns its id. */
export async function newVisitWithPhoto(
  { db, dataDir }: Pick<StartedRegistry, 'db' | 'dataDir'>,
  person: Person,
  rego: string,
): Promise<string> {
  const files = await openFileStore({ directory: `${dataDir}/files` });
  const services = { db, files, config: { rateLimits: false, timeZone: 'Australia/Sydney' }, now: () => new Date() };
  const who = { ...person, sessionId: '', mustChangePassword: false, hasSecondFactor: false };
  const { vin } = await liveVehicle(services, rego);
  const photo = await uploadPhoto(services, person);
  const input = honestSet(vin, 'STEER', services.now());
  const answer = await recordCalibrationSet(services, who, { rego, input, photos: [photo], key: undefined });
  if (!answer.recorded) throw new Error(answer.reason);
  return answer.setId;
}
