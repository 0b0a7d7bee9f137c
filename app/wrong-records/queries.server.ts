// Reports as they are stored: what each is about, its steps, and who had a part in the record.
import { sql, type RawBuilder, type Selectable } from 'kysely';
import { linkTokenHash, newLinkToken } from '#app/access/one-time-link.server.ts';
import { existingAdmins } from '#app/people/two-people.server.ts';
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import { isUuid } from '#app/platform/process/uuid.ts';
import { formatDay } from '#app/platform/time/calendar.ts';
import type { ReportKind } from '#database/report-tables.ts';
import type { Tables } from '#database/tables.ts';

export type StoredReport = Selectable<Tables['wrongReport']>;

export const findReport = async (db: Db | Tx, id: string): Promise<StoredReport | undefined> =>
  isUuid(id) ? db.selectFrom('wrongReport').selectAll().where('id', '=', id).executeTakeFirst() : undefined;

/** `name`: of who took it; null: the reporter. `act`: the kind of the act behind a decision. */
export type StoredStep = Selectable<Tables['wrongReportStep']> & {
  name: string | null;
  act: string | null;
  files: { id: string; name: string }[];
};

/** In their order. */
export async function stepsOf(db: Db | Tx, reportId: string): Promise<StoredStep[]> {
  const { rows } = await sql<StoredStep>`select s.*, a.name,
      (select kind from activity_log where index = s.act_index) as act,
      (select coalesce(json_agg(json_build_object('id', f.id, 'name', f.name) order by f.name, f.id), '[]')
        from wrong_report_file f where f.step_id = s.id) as files
    from wrong_report_step s left join actor a on a.id = s.actor_id
    where s.report_id = ${reportId} order by s.id`.execute(db);
  return rows;
}

/** `name`: the rego that the truck has now, or the weighbridge's name. */
export type About = Pick<StoredReport, 'vehicleId' | 'visitId' | 'referenceId'> & {
  name: string;
  visitedOn: string | null;
};
export type ListedReport = StoredReport & About & { technician: string | null };

/** The reports `where` (alias r), with what each is about. `rest`: order and limit. */
export async function listReports(db: Db, where: RawBuilder<unknown>, rest = sql``): Promise<ListedReport[]> {
  const { rows } = await sql<ListedReport>`select r.*, coalesce(v.rego, b.name) as name, t.visited_on,
      (select a.name from actor a where a.person_id = r.person_id order by a.id desc limit 1) as technician
    from wrong_report r left join vehicle v on v.id = joined_truck(r.vehicle_id)
      left join visit t on t.id = r.visit_id left join reference b on b.id = r.reference_id
    where ${where} ${rest}`.execute(db);
  return rows;
}

/** 'visit of 28 November 2026', beside the name. */
export function recordWords({ visitedOn, referenceId }: Omit<About, 'name'>, kind?: ReportKind): string {
  if (referenceId !== null) return 'weighbridge';
  if (kind === 'plate' || kind === 'not-mine') return 'plate and VIN';
  return visitedOn === null ? 'its record' : `visit of ${formatDay(visitedOn)}`;
}

type Link = { reportId?: string | null; email?: string | null; byMail: boolean };

export async function makeLink(tx: Tx, link: Link, madeAt: Date): Promise<string> {
  const { token, tokenHash } = newLinkToken();
  await tx
    .insertInto('wrongReportLink')
    .values({ ...link, tokenHash, madeAt })
    .execute();
  return token;
}

const HOUR_MS = 3_600_000;

/** Undefined: no such link, or it is over. `report`: the id of one of an address, which its link opens too. */
export async function findLink(
  db: Db | Tx,
  token: string,
  { now, report = '' }: { now: Date; report?: string },
): Promise<Link | undefined> {
  const tokenHash = linkTokenHash(token);
  if (tokenHash === undefined) return undefined;
  const link = db.selectFrom('wrongReportLink').selectAll().where('tokenHash', '=', tokenHash);
  const found = await link.executeTakeFirst();
  if (found?.email == null) return found;
  if (Math.abs(now.getTime() - found.madeAt.getTime()) > HOUR_MS) return undefined;
  const one = await findReport(db, report);
  return one?.email === found.email ? { ...found, reportId: one.id } : found;
}

export const PARTS = {
  recorded: 'recorded it',
  captured: 'captured it',
  accepted: 'accepted the visit',
  changed: 'entered or changed the record',
  decided: 'decided this report before',
} as const;
export type Part = { personId: string; name: string; part: keyof typeof PARTS };

/**
 * Who recorded, captured, accepted or proposed what the report is about, before it came, or decided it. What an admin
 * does about the record because of the report is no part in it.
 */
export async function partsIn(db: Db | Tx, report: StoredReport): Promise<Part[]> {
  const { id, vehicleId, visitId, referenceId, since, kind } = report;
  const isOfRecord = visitId === null || kind === 'plate' || kind === 'not-mine';
  const subject = vehicleId === null ? 'reference' : 'vehicle';
  const visit = sql`${visitId}::uuid`;
  const { rows } = await sql<Part>`select distinct on (a.person_id) a.person_id, a.name, part.part from (
      select technician_id as actor_id, 'recorded' as part, 1 as place from calibration c
        where vehicle_id = joined_truck(${vehicleId}::uuid) and coalesce(visit_id = ${visit}, ${visit} is null)
          and not exists (select from activity_log where subject = 'calibration'
            and subject_id = (c.rego || '/' || c.id) collate "default" and index >= ${since})
      union all select technician_id, 'recorded', 1 from visit where id = ${visit}
      union all select captured_by, 'captured', 2 from calibration_set where id = ${visit}
      union all select decided_by, 'accepted', 3 from visit_decision where visit_id = ${visit} and decision = 'accepted'
      union all select actor_id, 'changed', 4 from activity_log
        where ${isOfRecord} and subject = ${subject} and subject_id = ${vehicleId ?? referenceId}::text
          and index < ${since}
      union all select actor_id, 'decided', 5 from wrong_report_step where report_id = ${id} and step = 'decided') part
    join actor a on a.id = part.actor_id order by a.person_id, part.place`.execute(db);
  return rows;
}

/** Whether `personId` may act on the report. `isAlone`: they had a part, and no admin without one exists. */
export async function mayAct(
  db: Db | Tx,
  personId: string,
  parts: readonly Part[],
): Promise<{ may: boolean; isAlone: boolean }> {
  const hasPart = (id: string) => parts.some((one) => one.personId === id);
  const isAlone = hasPart(personId) && (await existingAdmins(db)).every((admin) => hasPart(admin.personId));
  return { may: isAlone || !hasPart(personId), isAlone };
}

export type Act = { index: number; kind: string; name: string | null; at: Date };

/** What was done to the record since the report came, the newest first. */
export async function actsSince(db: Db | Tx, report: StoredReport): Promise<Act[]> {
  const { vehicleId, visitId, referenceId, since } = report;
  const [truck, visit] = [sql`joined_truck(${vehicleId}::uuid)`, sql`${visitId}::uuid`];
  const { rows } = await sql<Act>`with subject (subject, id) as (
      select 'vehicle', ${truck}::text
      union all select 'visit', ${visitId}::text
      union all select 'reference', ${referenceId}::text
      union all select 'reference', reference_id::text from visit where id = ${visit}
      union all select 'calibration', (rego || '/' || id) collate "default" from calibration
        where vehicle_id = ${truck} and coalesce(visit_id = ${visit}, ${visit} is null))
    select l.index, a.name, l.at, case when l.kind = 'vehicle.updated' and exists (
        select from jsonb_array_elements(d.changes) c where c ->> 'field' = 'vin') then 'vin.corrected'
      else l.kind end as kind
    from subject s cross join lateral (select * from activity_log
        where subject = s.subject and subject_id = s.id and index >= ${since} offset 0) l
      left join activity_detail d on d.index = l.index left join actor a on a.id = l.actor_id
    order by l.index desc`.execute(db);
  return rows;
}
