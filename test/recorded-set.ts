// Records a visit and a decision about it, for tests of their stored form.
import { decideVisit } from '#app/visits/decide-visit.server.ts';
import { hidePhoto } from '#app/visits/hide-photo.server.ts';
import { recordCalibrationSet } from '#app/recording/record-calibration-set.server.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import { openFileStore } from '#app/platform/storage/file-store.server.ts';
import { uploadPhoto } from './photos.ts';
import { setInput } from './vehicles.ts';

/**
 * A visit to one axle, by a technician, with a photo, that an admin set aside and hid. Every column of the set has a
 * value.
 */
export async function recordSetWithPhoto(db: Db, folder: string): Promise<void> {
  const { rego, vin } = await db.selectFrom('vehicle').select(['rego', 'vin']).executeTakeFirstOrThrow();
  const { personId, email } = await db.selectFrom('technician').select(['personId', 'email']).executeTakeFirstOrThrow();
  const services = {
    db,
    config: { rateLimits: true, timeZone: 'Australia/Sydney' },
    files: await openFileStore({ directory: `${folder}/files` }),
    now: () => new Date('2026-11-21T01:00:00Z'),
  };
  const signedIn = { name: 'Jo', sessionId: '', recordId: '', mustChangePassword: false, hasSecondFactor: false };
  const answer = await recordCalibrationSet(
    services,
    { ...signedIn, personId, email, role: 'technician' },
    {
      rego,
      input: setInput(vin, new Date('2026-11-20T01:00:00Z')),
      photos: [await uploadPhoto(services, { personId }), await uploadPhoto(services, { personId }, '#14a014')],
      key: undefined,
      form: { id: 'b2f0c1de-0000-4000-8000-000000000001', sha256: '0'.repeat(64) },
      capture: { capturedAt: new Date('2026-11-20T01:20:00Z'), vehicleId: '', captor: null, wasThere: true },
    },
  );
  if (!answer.recorded) throw new Error('the set was not recorded');
  const admin = await db.selectFrom('admin').select(['personId', 'email']).executeTakeFirstOrThrow();
  const who = { ...signedIn, ...admin, role: 'admin' } as const;
  const decided = await decideVisit(db, who, {
    visitId: answer.setId,
    input: { decision: 'set-aside', reason: 'not-shown', note: 'No due date.', openedState: answer.state },
    now: services.now(),
    key: undefined,
  });
  if (!decided.decided) throw new Error('the visit was not decided');
  const hidden = await hidePhoto(db, who, { visitId: answer.setId, now: services.now(), key: undefined });
  if (!hidden.hidden) throw new Error('the photo was not hidden');
}
