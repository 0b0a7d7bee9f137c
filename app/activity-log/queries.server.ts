// The size of the activity log, and its entries of one person or one vehicle. app/logs/ reads the page of the log.
import { sql } from 'kysely';
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
  vehicleId: string,
  limit: number,
): Promise<(Activity & { by: string | null; changes: ActivityChange[] | null })[]> {
  type Row = Pick<Activity, 'index' | 'occurredAt' | 'kind'> & StoredText;
  // Its readings by their own keys: under one rego there may be those of several vehicles, and of one under several.
  const { rows } = await sql<Row & { by: string | null; changes: ActivityChange[] | null }>`
    select l.index, l.occurred_at, l.kind, l.origin, d.action, d.details, d.changes, a.name as by from (
      select * from activity_log where subject = 'vehicle' and subject_id = ${vehicleId}
      union all
      select e.* from calibration c cross join lateral (
        select * from activity_log
        where subject = 'calibration' and subject_id = (c.rego || '/' || c.id) collate "default" offset 0) e
      where c.vehicle_id = ${vehicleId}::uuid) l
    left join actor a on a.id = l.actor_id left join activity_detail d on d.index = l.index
    where l.subject = 'vehicle' or d.changes is not null
    order by l.index desc limit ${limit}`.execute(db);
  return rows.map(activityOf);
}

type StoredText = { origin: string; action: string | null; details: string | null };

function activityOf<Row extends StoredText>({ origin, action, details, ...row }: Row) {
  return { ...row, action: action ?? '', details: details ?? '', imported: origin === 'imported' };
}
