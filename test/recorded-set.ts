// Records a visit, for tests of its stored form.
import sharp from 'sharp';
import { recordCalibrationSet } from '#app/calibrations/record-calibration-set.server.ts';
import { addTemporaryUpload } from '#app/files/temporary-upload.server.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import { openFileStore } from '#app/platform/storage/file-store.server.ts';
import { setInput } from './vehicles.ts';

/** A visit to one axle, by a technician, with a photo. Every column of the set has a value. */
export async function recordSetWithPhoto(db: Db, folder: string): Promise<void> {
  const { rego, vin } = await db.selectFrom('vehicle').select(['rego', 'vin']).executeTakeFirstOrThrow();
  const { personId, email } = await db.selectFrom('technician').select(['personId', 'email']).executeTakeFirstOrThrow();
  const services = {
    db,
    config: { rateLimits: true, timeZone: 'Australia/Sydney' },
    files: await openFileStore({ directory: `${folder}/files` }),
    now: () => new Date('2026-11-21T01:00:00Z'),
  };
  const bytes = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#a01414' } })
    .jpeg()
    .toBuffer();
  const upload = await addTemporaryUpload(services, personId, 'image', { name: 'ticket.jpg', bytes });
  const who = { personId, email, name: 'Jo', role: 'technician', sessionId: '', recordId: '' } as const;
  const answer = await recordCalibrationSet(
    services,
    { ...who, mustChangePassword: false, hasSecondFactor: false },
    rego,
    setInput(vin, new Date('2026-11-20T01:00:00Z')),
    { photo: upload.added ? upload.id : '', key: undefined },
  );
  if (!answer.recorded) throw new Error('the set was not recorded');
}
