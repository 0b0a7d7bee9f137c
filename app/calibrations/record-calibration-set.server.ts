// A whole visit is recorded at once or not at all: the set, and its readings as calibrations like any others, in the name
// of whoever is signed in. None of it changes afterwards.
import { z } from 'zod';
import { appendActivities } from '#app/activity-log/append-activity.server.ts';
import { actorOf, type SignedIn } from '#app/access/session.server.ts';
import { settleStaged } from '#app/files/stage-upload.server.ts';
import type { Tx } from '#app/platform/database/database.server.ts';
import { keyOfForm, once } from '#app/platform/database/form-key.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { appendLeaves } from '#app/transparency-log/append-leaves.server.ts';
import { calibrationSetEvent } from '#app/transparency-log/events.server.ts';
import { calibrationEvent, type RecordedReading } from './calibration-event.server.ts';
import { contentOf } from '#app/vehicles/settle-files.server.ts';
import { lockVehicle } from '#app/vehicles/queries.server.ts';
import { axleLabel } from './calibration.ts';
import { dueChange, nextFreeId, setNextDue } from './record-calibration.server.ts';
import type { SetInput } from './set-entry.server.ts';
import { READING_FIELDS } from './set-grid.ts';

const recordedSchema = z.object({ recorded: z.literal(true), setId: z.string() });
export type RecordSetAnswer =
  | z.infer<typeof recordedSchema>
  | { recorded: false; reason: 'removed' | 'unknown' | 'vin-differs' | 'file-missing' };

type Photo = { fileId: string; name: string };

/** Records it, and moves the vehicle's next due date when this one is later. `photo`: the id of a staged image, or ''. */
export async function recordCalibrationSet(
  services: Pick<Services, 'db' | 'files' | 'now'>,
  who: SignedIn,
  rego: string,
  input: SetInput,
  { photo: staged, formKey }: { photo: string; formKey: unknown },
): Promise<RecordSetAnswer> {
  const photo =
    staged === '' ? undefined : await settleStaged(services, who.personId, 'image', staged, `vehicles/${rego}`);
  if (staged !== '' && photo === undefined) return { recorded: false, reason: 'file-missing' };
  const form = {
    key: keyOfForm(formKey, 'calibration-set.recorded', { rego, ...input, photo: photo?.fileId }),
    personId: who.personId,
    parse: (kept: unknown): RecordSetAnswer => recordedSchema.parse(kept),
    took: ({ recorded }: RecordSetAnswer) => recorded,
  };
  return once<RecordSetAnswer>(services.db, form, async (tx) => {
    // Held to the end: a removal waits, and two visits recorded at one moment get ids of their own.
    const found = await lockVehicle(tx, rego);
    if (found.state !== 'live') return { recorded: false, reason: found.state };
    const { id: vehicleId, vin, nextCalibrationDueOn: before } = found.vehicle;
    // What was confirmed on the truck is no longer what the registry says of it.
    if (vin !== input.vin) return { recorded: false, reason: 'vin-differs' };
    const vehicle = { id: vehicleId, rego };
    const { visitedAt, due_date: dueOn } = input;
    const actorId = await actorOf(tx, who);
    const setId = await insertSet(tx, vehicleId, actorId, input, photo);
    const readings = readingsOf(input, await nextFreeId(tx, rego, services.now().getTime()));
    await tx
      .insertInto('calibration')
      .values(readings.map((reading) => ({ rego, vehicleId, setId, ...reading, technicianId: actorId })))
      .execute();
    const moved = dueOn !== null && (before === null || dueOn > before);
    if (moved) await setNextDue(tx, vehicleId, dueOn, actorId);
    await appendLeaves(tx, [
      ...readings.map((reading) => calibrationEvent(vehicle, reading, who.name)),
      calibrationSetEvent(vehicle, { id: setId, visitedAt, dueOn }, who.name, { moved }),
    ]);
    await appendActivities(tx, [
      {
        kind: 'calibration-set.recorded',
        actorId,
        subject: 'calibration',
        subjectId: `${rego}/${readings[0]?.id ?? ''}`,
        details: `${rego}: ${input.axles.map(({ axle }) => axleLabel(axle)).join(', ')}`,
        changes: moved ? [dueChange(before, dueOn)] : [],
        rego,
        persons: [who.personId],
      },
    ]);
    return { recorded: true, setId };
  });
}

async function insertSet(
  tx: Tx,
  vehicleId: string,
  technicianId: number,
  input: SetInput,
  photo: Photo | undefined,
): Promise<string> {
  const { visitedAt, weighbridge, ticket_number: ticketNumber, lift_axle: liftAxle, notes, axles } = input;
  const { id } = await tx
    .insertInto('calibrationSet')
    .values({
      vehicleId,
      visitedAt,
      technicianId,
      weighbridge,
      ticketNumber,
      liftAxle,
      notes,
      axles: JSON.stringify(axles.map(({ axle, extras }) => ({ axle, ...extras }))),
      ...(photo === undefined
        ? {}
        : {
            photoId: photo.fileId,
            photoName: photo.name,
            photoSha256: await contentOf(tx, { fileId: photo.fileId, externalUrl: '' }),
          }),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

// In the order of the form, a millisecond each, from `firstId` on.
function readingsOf({ axles, visitedAt, due_date: dueOn }: SetInput, firstId: number): RecordedReading[] {
  return axles
    .flatMap(({ axle, readings }) =>
      READING_FIELDS.map(({ field, label }) => ({ axle, attribute: label, value: readings[field] })),
    )
    .map((reading, place) => ({ id: firstId + place, ...reading, dueOn, calibratedAt: visitedAt }));
}
