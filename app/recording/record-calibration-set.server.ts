// Records a whole visit in one transaction, in the name of the signed-in person: the set, and its readings as ordinary
// calibrations. It closes at once. A recorded set never changes.
import { knownVin } from '#app/vehicles/vehicle.ts';
import { sql, type Insertable } from 'kysely';
import { appendActivities } from '#app/activity-log/append-activity.server.ts';
import { actorOf, type SignedIn } from '#app/access/session.server.ts';
import { findOrAddActor, type KnownNaming } from '#app/activity-log/actor.server.ts';
import { activitiesOf, leavesOf } from '#app/check-visits/enter-check-visit.server.ts';
import { commitUpload } from '#app/files/temporary-upload.server.ts';
import type { Tx } from '#app/platform/database/database.server.ts';
import { idempotent } from '#app/platform/database/idempotency-key.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { appendLeaves } from '#app/transparency-log/append-leaves.server.ts';
import { calibrationSetEvent } from '#app/transparency-log/events.server.ts';
import { matchReference } from '#app/references/match-reference.server.ts';
import { lockVehicle } from '#app/vehicles/queries.server.ts';
import type { Tables } from '#database/tables.ts';
import { axleLabel } from '#app/vehicles/axle.ts';
import { prepareFirst } from '#app/vehicles/due-date.server.ts';
import {
  calibrationEvent,
  distinct,
  freeId,
  insertVisit,
  type RecordedReading,
} from '#app/readings/insert-readings.server.ts';
import { closeVisit } from '#app/visits/close-visit.server.ts';
import type { SentForm } from './sent-form.server.ts';
import type { SetInput } from './set-entry.ts';
import { PHOTOS_MAX } from '#app/visits/visit.ts';
import { READING_FIELDS } from '#app/readings/set-grid.ts';
import { factColumns } from '#app/readings/visit-fact.ts';

export type RecordSetAnswer =
  | { recorded: true; setId: string; state: 'counts' | 'partial' | 'waits' }
  | { recorded: false; reason: 'removed' | 'unknown' | 'vin-differs' | 'registered-again' | 'file-missing' };

type Photo = { fileId: string; name: string };

/**
 * A visit that was captured on a phone. `capturedAt`: by its clock; `vehicleId`: the record that the phone held;
 * `captor`: whose phone it was, if somebody else sends its file; `wasThere`: the sender was at the truck, and read rego
 * and VIN.
 */
export type Capture = { capturedAt: Date; vehicleId: string; captor: KnownNaming | null; wasThere: boolean };

/** Records the set and closes its visit. `photos`: ids of temporary uploads. A captured one always has a `form`. */
export async function recordCalibrationSet(
  services: Pick<Services, 'db' | 'files' | 'now'> & { config: Pick<Services['config'], 'timeZone'> },
  who: SignedIn,
  {
    rego,
    input,
    photos: uploadIds,
    key,
    form,
    capture,
  }: {
    rego: string;
    input: SetInput;
    photos: readonly string[];
    key: unknown;
    form?: SentForm | undefined;
    capture?: Capture;
  },
): Promise<RecordSetAnswer> {
  const photos: Photo[] = [];
  for (const uploadId of uploadIds.slice(0, PHOTOS_MAX)) {
    const photo = await commitUpload(services, who.personId, {
      role: 'image',
      id: uploadId,
      prefix: `vehicles/${rego}`,
    });
    if (photo === undefined) return { recorded: false, reason: 'file-missing' };
    // The same picture chosen twice is one.
    if (photos.every(({ fileId }) => fileId !== photo.fileId)) photos.push(photo);
  }
  const values = { rego, ...input, photos: photos.map(({ fileId }) => fileId) };
  const on = { kind: 'calibration-set.recorded', key, values } as const;
  return idempotent<RecordSetAnswer>(services.db, { who, ...on }, async (tx) => {
    // The lock lasts to the end of the transaction: a removal waits, and two visits of one moment get different ids.
    const found = await lockVehicle(tx, rego);
    if (found.state !== 'live') return { recorded: false, reason: found.state };
    const { id: vehicleId } = found.vehicle;
    const vin = knownVin(found.vehicle.vin);
    // The technician confirmed this VIN on the truck, but the registry has another one now.
    if (vin !== knownVin(input.vin)) return { recorded: false, reason: 'vin-differs' };
    // Without a VIN nothing says that the record of today is of the same truck.
    if (capture !== undefined && vin === '' && vehicleId !== capture.vehicleId)
      return { recorded: false, reason: 'registered-again' };
    const vehicle = { id: vehicleId, rego };
    const { visitedAt, due_date: dueOn } = input;
    const moment = { now: services.now(), zone: services.config.timeZone };
    const actorId = await actorOf(tx, who);
    const before = await prepareFirst(tx, found.vehicle, moment);
    const { referenceId } = await matchReference(tx, input);
    const captor = capture?.captor ?? null;
    const capturedBy = captor === null ? null : await findOrAddActor(tx, captor);
    const sent = form === undefined ? {} : columnsOf(form, capture, { capturedBy, receivedAt: moment.now });
    const ofSet = { vehicleId, technicianId: actorId, ...sent };
    const { setId, firstId } = await insertSet(tx, ofSet, { rego, now: moment.now, input, photos });
    const isConfirmed = capture?.wasThere ?? true;
    const opened = { id: setId, vehicleId, technicianId: actorId, visitedAt, isConfirmed, referenceId };
    const readings = readingsOf(input, firstId);
    // Of two visits of one day the one recorded later rules, even if the clock was set back.
    const inserted = await insertVisit(
      tx,
      { ...opened, openedAt: new Date(firstId) },
      { rego, setId, readings, zone: moment.zone },
    );
    const visit = { ...inserted, personId: who.personId, technicianName: who.name };
    const judged = await closeVisit(tx, found.vehicle, { visit, actorId, ...moment });
    await appendLeaves(tx, [
      ...readings.map((reading) =>
        calibrationEvent(vehicle, reading, { technician: who.name, more: { zone: moment.zone } }),
      ),
      calibrationSetEvent(
        vehicle,
        { id: setId, visitedAt, dueOn },
        {
          technician: who.name,
          zone: moment.zone,
          body: { ...judged.body, ...(capture === undefined ? {} : saidOf(capture, moment.now)) },
          records: distinct([...before, ...judged.records]),
        },
      ),
      ...leavesOf(judged.checkVisits),
    ]);
    await appendActivities(tx, [
      {
        kind: 'calibration-set.recorded',
        actorId,
        subject: 'calibration',
        subjectId: `${rego}/${readings[0]?.id ?? ''}`,
        details: `${rego}: ${input.axles.map(({ axle }) => axleLabel(axle)).join(', ')}`,
        changes: judged.changes,
        rego,
        persons: captor === null ? [who.personId] : [who.personId, captor.personId],
      },
      ...activitiesOf(judged.checkVisits),
    ]);
    return { recorded: true, setId, state: judged.judged };
  });
}

function columnsOf(
  { id, sha256 }: SentForm,
  capture: Capture | undefined,
  { capturedBy, receivedAt }: { capturedBy: number | null; receivedAt: Date },
) {
  if (capture !== undefined)
    return {
      captureId: id,
      captureSha256: sha256,
      receivedAt,
      capturedAt: capture.capturedAt,
      capturedBy,
    };
  // Changed after a lost answer, a form is another visit: only the first has its id.
  const isTaken = sql<boolean>`exists (select from calibration_set where capture_id = ${id}::uuid)`;
  return { captureId: sql<string | null>`case when not ${isTaken} then ${id}::uuid end`, captureSha256: sha256 };
}

const saidOf = ({ capturedAt }: Capture, receivedAt: Date) => ({
  capturedAt: capturedAt.toISOString(),
  receivedAt: receivedAt.toISOString(),
});

async function insertSet(
  tx: Tx,
  known: Pick<Insertable<Tables['calibrationSet']>, 'vehicleId' | 'technicianId'>,
  { rego, now, input, photos }: { rego: string; now: Date; input: SetInput; photos: readonly Photo[] },
): Promise<{ setId: string; firstId: number }> {
  const { visitedAt, notes, axles } = input;
  return tx
    .insertInto('calibrationSet')
    .values({
      ...known,
      visitedAt,
      ...factColumns(input),
      notes,
      axles: JSON.stringify(axles.map(({ axle, extras }) => ({ axle, ...extras }))),
      ...(await columnsOfPhotos(tx, photos)),
    })
    .returning(['id as setId', freeId(rego, now.getTime()).as('firstId')])
    .executeTakeFirstOrThrow();
}

async function columnsOfPhotos(tx: Tx, [photo, ...more]: readonly Photo[]) {
  if (photo === undefined) return {};
  const first = { photoId: photo.fileId, photoName: photo.name, ...(await pictureOf(tx, photo.fileId)) };
  if (more.length === 0) return first;
  const hashes = await Promise.all(more.map(({ fileId }) => pictureOf(tx, fileId)));
  return {
    ...first,
    morePhotoIds: more.map(({ fileId }) => fileId),
    morePhotoSha256s: hashes.map(({ photoSha256 }) => photoSha256),
  };
}

async function pictureOf(tx: Tx, fileId: string): Promise<{ photoSha256: string; photoDhash: string | null }> {
  return tx
    .selectFrom('storedFile')
    .select(['sha256 as photoSha256', 'dhash as photoDhash'])
    .where('id', '=', fileId)
    .executeTakeFirstOrThrow();
}

// In the order of the form. The ids are consecutive milliseconds from `firstId`.
function readingsOf({ axles, visitedAt, due_date: dueOn }: SetInput, firstId: number): RecordedReading[] {
  return axles
    .flatMap(({ axle, readings }) =>
      READING_FIELDS.map(({ field, label }) => ({ axle, attribute: label, value: readings[field] })),
    )
    .map((reading, place) => ({ id: firstId + place, ...reading, dueOn, calibratedAt: visitedAt }));
}
