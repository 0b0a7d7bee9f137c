// Records a whole visit in one transaction, in the name of the signed-in person: the set, and its readings as ordinary
// calibrations. It closes at once. A recorded set never changes.
import { randomUUID } from 'node:crypto';
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
import { lockVehicle, type FoundVehicle, type Vehicle } from '#app/vehicles/queries.server.ts';
import type { Tables } from '#database/tables.ts';
import { axleLabel } from '#app/vehicles/axle.ts';
import { learnDetails } from '#app/vehicles/read-groups.server.ts';
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
import { readingsOfAxle } from '#app/readings/set-grid.ts';
import { placeWeighings } from '#app/readings/place-weighings.server.ts';
import { trailersIn } from '#app/readings/visit-trailers.ts';
import { weighingsOfUnit } from '#app/readings/weighings.ts';
import { factColumns, NO_FACTS } from '#app/readings/visit-fact.ts';

export type RecordSetAnswer =
  | { recorded: true; setId: string; state: 'counts' | 'partial' | 'waits' }
  /** A trailer that was weighed with it: it is not there, not a trailer, or its VIN is another one now. */
  | { recorded: false; reason: 'trailer'; rego: string }
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
    const named = trailersIn(input.trailers).flatMap((one) => (one.group === null ? [one.rego] : []));
    const locked = await lockUnits(tx, [rego, ...named, ...(input.units ?? []).map((unit) => unit.rego)]);
    const found = locked.get(rego) ?? { state: 'unknown' };
    if (found.state !== 'live') return { recorded: false, reason: found.state };
    const { id: vehicleId } = found.vehicle;
    const vin = knownVin(found.vehicle.vin);
    // The technician confirmed this VIN on the truck, but the registry has another one now.
    if (vin !== knownVin(input.vin)) return { recorded: false, reason: 'vin-differs' };
    // Without a VIN nothing says that the record of today is of the same truck.
    if (capture !== undefined && vin === '' && vehicleId !== capture.vehicleId)
      return { recorded: false, reason: 'registered-again' };
    const wrong = input.units?.find((unit) => !isAsConfirmed(locked.get(unit.rego), unit))?.rego;
    const noTrailer = wrong ?? named.find((one) => one === rego || !isTrailerHere(locked.get(one)));
    if (noTrailer !== undefined) return { recorded: false, reason: 'trailer', rego: noTrailer };
    const moment = { now: services.now(), zone: services.config.timeZone };
    const actorId = await actorOf(tx, who);
    const captor = capture?.captor ?? null;
    const capturedBy = captor === null ? null : await findOrAddActor(tx, captor);
    const sent = form === undefined ? {} : columnsOf(form, capture, { capturedBy, receivedAt: moment.now });
    const together = (input.units ?? []).length > 0 ? randomUUID() : undefined;
    const press: Press = { who, actorId, captor, capture, photos, together, ...moment };
    const recorded = await recordVisit(tx, found.vehicle, { ...press, input, columns: { id: together, ...sent } });
    for (const unit of input.units ?? []) {
      const trailer = locked.get(unit.rego);
      // What is said of the truck alone is not of its trailer.
      const { weighbridge, ticket_number } = input;
      const weighings = weighingsOfUnit(input.weighings, { own: rego, unit: unit.rego });
      const own = { ...input, ...NO_FACTS, weighbridge, ticket_number, ...unit, weighings };
      if (trailer?.state === 'live') await recordVisit(tx, trailer.vehicle, { ...press, input: own, columns: {} });
    }
    return { recorded: true, ...recorded };
  });
}

// The locks last to the end of the transaction: a removal waits, and two visits of one moment get different ids. In the
// order of regos, so that two presses wait for each other.
async function lockUnits(tx: Tx, regos: readonly string[]): Promise<Map<string, FoundVehicle>> {
  const locked = new Map<string, FoundVehicle>();
  for (const rego of [...new Set(regos)].toSorted()) locked.set(rego, await lockVehicle(tx, rego));
  return locked;
}

type LiveVehicle = Extract<FoundVehicle, { state: 'live' }>;
const isTrailerHere = (found: FoundVehicle | undefined): found is LiveVehicle =>
  found?.state === 'live' && found.vehicle.kind !== '';
const isAsConfirmed = (found: FoundVehicle | undefined, { vin }: { vin: string }): boolean =>
  isTrailerHere(found) && knownVin(found.vehicle.vin) === knownVin(vin);

/** What the visits of one press share. `together`: the id of the first of them, where there are several. */
type Press = {
  who: SignedIn;
  actorId: number;
  captor: KnownNaming | null;
  capture: Capture | undefined;
  photos: readonly Photo[];
  together: string | undefined;
  now: Date;
  zone: string;
};

async function recordVisit(
  tx: Tx,
  locked: Vehicle,
  {
    who,
    actorId,
    captor,
    capture,
    photos,
    together,
    input: typed,
    columns,
    ...moment
  }: Press & { input: SetInput; columns: Partial<Insertable<Tables['calibrationSet']>> },
): Promise<{ setId: string; state: 'counts' | 'partial' | 'waits' }> {
  const { rego } = locked;
  const vehicle = { id: locked.id, rego };
  const { visitedAt, due_date: dueOn } = typed;
  const before = await prepareFirst(tx, locked, moment);
  const { referenceId } = await matchReference(tx, typed);
  const input = { ...typed, weighings: await placeWeighings(tx, typed.weighings, referenceId) };
  const ofSet = { ...columns, vehicleId: locked.id, technicianId: actorId, together };
  const { setId, firstId } = await insertSet(tx, ofSet, { rego, now: moment.now, input, photos });
  const isConfirmed = capture?.wasThere ?? true;
  const opened = { id: setId, vehicleId: locked.id, technicianId: actorId, visitedAt, isConfirmed, referenceId };
  const readings = readingsOf(input, firstId);
  // Of two visits of one day the one recorded later rules, even if the clock was set back.
  const inserted = await insertVisit(
    tx,
    { ...opened, openedAt: new Date(firstId) },
    { rego, setId, readings, zone: moment.zone },
  );
  const visit = { ...inserted, personId: who.personId, technicianName: who.name };
  const learned = await learnDetails(tx, locked, { said: input.details ?? {}, actorId });
  const judged = await closeVisit(tx, learned.vehicle, { visit, actorId, ...moment });
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
        records: distinct([...before, ...learned.records, ...judged.records]),
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
      changes: [...learned.changes, ...judged.changes],
      rego,
      persons: captor === null ? [who.personId] : [who.personId, captor.personId],
    },
    ...activitiesOf(judged.checkVisits),
  ]);
  return { setId, state: judged.judged };
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
  known: Omit<Insertable<Tables['calibrationSet']>, 'visitedAt' | 'notes' | 'axles'>,
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
    .flatMap(readingsOfAxle)
    .map((reading, place) => ({ id: firstId + place, ...reading, dueOn, calibratedAt: visitedAt }));
}
