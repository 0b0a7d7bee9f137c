// The size of the activity log, and its entries of one person or one vehicle. app/logs/ reads the page of the log.
import type { Db } from '#app/platform/database/database.server.ts';
import type { ActivityChange } from '#database/tables.ts';

/** The number of entries. A page reads it BEFORE its data and subscribes from there, so that no update is missed. */
export async function logSize(db: Db): Promise<number> {
  return (await db.selectFrom('activityState').select('size').executeTakeFirstOrThrow()).size;
}

export type Activity = {
  index: number;
  occurredAt: Date;
  kind: string;
  action: string;
  details: string;
  imported: boolean;
};

/** The latest entries of a person, newest first. */
export async function listActivitiesOf(db: Db, personId: string, limit: number): Promise<Activity[]> {
  const rows = await db
    .selectFrom('activityLog')
    .innerJoin('actor', 'actor.id', 'activityLog.actorId')
    .leftJoin('activityDetail', 'activityDetail.index', 'activityLog.index')
    .select(['activityLog.index', 'activityLog.occurredAt', 'activityLog.kind', 'activityLog.origin'])
    .select(['activityDetail.action', 'activityDetail.details'])
    .where('actor.personId', '=', personId)
    .orderBy('activityLog.index', 'desc')
    .limit(limit)
    .execute();
  return rows.map(activityOf);
}

/** The entries about a vehicle and its calibrations, newest first, with who acted and which fields changed. */
export async function listVehicleActivities(
  db: Db,
  vehicle: { id: string; rego: string },
  limit: number,
): Promise<(Activity & { by: string | null; changes: ActivityChange[] | null })[]> {
  const rows = await db
    .selectFrom('activityLog')
    .leftJoin('actor', 'actor.id', 'activityLog.actorId')
    .leftJoin('activityDetail', 'activityDetail.index', 'activityLog.index')
    .select(['activityLog.index', 'activityLog.occurredAt', 'activityLog.kind', 'activityLog.origin'])
    .select(['activityDetail.action', 'activityDetail.details', 'activityDetail.changes', 'actor.name as by'])
    .where(({ or, and, eb }) =>
      or([
        and([eb('activityLog.subject', '=', 'vehicle'), eb('activityLog.subjectId', '=', vehicle.id)]),
        and([
          eb('activityLog.subject', '=', 'calibration'),
          eb('activityLog.subjectId', 'like', `${vehicle.rego}/%`),
          eb('activityDetail.changes', 'is not', null),
        ]),
      ]),
    )
    .orderBy('activityLog.index', 'desc')
    .limit(limit)
    .execute();
  return rows.map(activityOf);
}

type StoredText = { origin: string; action: string | null; details: string | null };

function activityOf<Row extends StoredText>({ origin, action, details, ...row }: Row) {
  return { ...row, action: action ?? '', details: details ?? '', imported: origin === 'imported' };
}
