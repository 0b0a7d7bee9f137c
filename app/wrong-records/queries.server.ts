// Reports as they are stored: what each is about, its steps, and who had a part in the record.
import { sql, type Selectable } from 'kysely';
import { linkTokenHash, newLinkToken } from '#app/access/one-time-link.server.ts';
import { existingAdmins } from '#app/people/two-people.server.ts';
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import { isUuid } from '#app/platform/process/uuid.ts';
import { formatDay } from '#app/platform/time/calendar.ts';
import type { ReportKind } from '#database/report-tables.ts';
import type { Tables } from '#database/tables.ts';

export type StoredReport = Selectable<Tables['wrongReport']>;
export type StoredStep = Selectable<Tables['wrongReportStep']> & {
  name: string | null;
  /** The kind of the act behind a decision. */
  actKind: string | null;
  files: { id: string; name: string }[];
};

export async function findReport(db: Db | Tx, id: string): Promise<StoredReport | undefined> {
  return isUuid(id) ? db.selectFrom('wrongReport').selectAll().where('id', '=', id).executeTakeFirst() : undefined;
}

/** In their order. `name`: of who took it; null: the reporter. */
export async function stepsOf(db: Db | Tx, reportId: string): Promise<StoredStep[]> {
  const { rows } = await sql<StoredStep>`select s.*, a.name, (select kind from activity_log where index = s.act_index) as act_kind,
      (select coalesce(json_agg(json_build_object('id', f.id, 'name', f.name) order by f.name, f.id), '[]')
        from wrong_report_file f where f.step_id = s.id) as files
    from wrong_report_step s left join actor a on a.id = s.actor_id where s.report_id = ${reportId} order by s.id`.execute(db);
  return rows;
}

export type About = { rego: string | null; plateState: string; visitedOn: string | null; visitId: string | null; reading: string; reference: string | null; referenceId: string | null };

/** What the reports are about, by their ids. A truck under the plate that it has now. */
export async function aboutOf(db: Db | Tx, ids: readonly string[]): Promise<Map<string, About>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<About & { id: string }>`select r.id, v.rego, v.plate_state, t.visited_on, r.visit_id, r.reading,
      b.name as reference, r.reference_id
    from wrong_report r left join vehicle v on v.id = joined_truck(r.vehicle_id) left join visit t on t.id = r.visit_id
      left join reference b on b.id = r.reference_id
    where r.id = any(${ids}::uuid[])`.execute(db);
  return new Map(rows.map(({ id, ...about }) => [id, about]));
}

/** 'visit of 28 November 2026', beside the plate. */
export function recordWords({ visitedOn, reference }: Pick<About, 'visitedOn' | 'reference'>, kind?: ReportKind): string {
  if (reference !== null) return 'weighbridge';
  if (kind === 'plate' || kind === 'not-mine') return 'plate and VIN';
  return visitedOn === null ? 'its record' : `visit of ${formatDay(visitedOn)}`;
}

export async function makeLink(
  tx: Tx,
  of: { reportId: string } | { email: string },
  { now, byMail }: { now: Date; byMail: boolean },
): Promise<string> {
  const { token, tokenHash } = newLinkToken();
  await tx.insertInto('wrongReportLink').values({ ...of, tokenHash, byMail, madeAt: now }).execute();
  return token;
}

export type Link = { reportId: string | null; email: string | null; byMail: boolean };
const HOUR_MS = 3_600_000;

/** Undefined: no such link, or it is over. `report`: the id of one of an address, which its link opens too. */
export async function findLink(
  db: Db | Tx,
  token: string,
  { now, report }: { now: Date; report?: string | null },
): Promise<Link | undefined> {
  const tokenHash = linkTokenHash(token);
  if (tokenHash === undefined) return undefined;
  const link = db.selectFrom('wrongReportLink').selectAll().where('tokenHash', '=', tokenHash);
  const found = await link.executeTakeFirst();
  const isOver = found?.email != null && Math.abs(now.getTime() - found.madeAt.getTime()) > HOUR_MS;
  if (found === undefined || isOver) return undefined;
  const one = found.email === null ? undefined : await findReport(db, report ?? '');
  return one?.email === found.email && one !== undefined ? { ...found, reportId: one.id } : found;
}

export type Part = { personId: string; name: string; part: keyof typeof PARTS };
export const PARTS = {
  recorded: 'recorded it',
  captured: 'captured it',
  accepted: 'accepted the visit',
  changed: 'entered or changed the record',
  decided: 'decided this report before',
} as const;

/**
 * Who recorded, captured, accepted or proposed what the report is about, before it came, or decided it. What an admin
 * does about the record because of the report is no part in it.
 */
export async function partsIn(db: Db | Tx, report: StoredReport): Promise<Part[]> {
  const { id, vehicleId, visitId, reading, referenceId, receivedAt, kind } = report;
  const isOfTruck = visitId === null || kind === 'plate' || kind === 'not-mine';
  const [subject, subjectId] = vehicleId === null ? ['reference', referenceId] : ['vehicle', vehicleId];
  const { rows } = await sql<Part>`
    select distinct on (part.person_id) part.person_id, part.name, part.part from (
      select a.person_id, a.name, 'recorded' as part, 1 as place from calibration c join actor a on a.id = c.technician_id
        where c.recorded_at < ${receivedAt} and (c.visit_id = ${visitId}::uuid and c.vehicle_id = (select vehicle_id from visit where id = ${visitId}::uuid)
          or c.rego = split_part(${reading}, '/', 1) and c.id = nullif(split_part(${reading}, '/', 2), '')::bigint)
      union all select a.person_id, a.name, 'recorded', 1 from visit t join actor a on a.id = t.technician_id
        where t.id = ${visitId}::uuid
      union all select a.person_id, a.name, 'captured', 2 from calibration_set s join actor a on a.id = s.captured_by
        where s.id = ${visitId}::uuid
      union all select a.person_id, a.name, 'accepted', 3 from visit_decision d join actor a on a.id = d.decided_by
        where d.visit_id = ${visitId}::uuid and d.decision = 'accepted'
      union all select a.person_id, a.name, 'changed', 4 from activity_log l join actor a on a.id = l.actor_id
        where ${isOfTruck} and l.subject = ${subject} and l.subject_id = ${subjectId}::text and l.at < ${receivedAt}
          and l.kind not like 'report.%'
      union all select a.person_id, a.name, 'decided', 5 from wrong_report_step s join actor a on a.id = s.actor_id
        where s.report_id = ${id} and s.step = 'decided') part
    where part.person_id is not null order by part.person_id, part.place`.execute(db);
  return rows;
}

/** Whether `personId` may act on the report. `isAlone`: had a part, and no admin without one exists. */
export async function mayAct(db: Db | Tx, personId: string, parts: readonly Part[]): Promise<{ may: boolean; isAlone: boolean }> {
  const hasPart = (id: string) => parts.some((one) => one.personId === id);
  if (!hasPart(personId)) return { may: true, isAlone: false };
  const isAlone = (await existingAdmins(db)).every((admin) => hasPart(admin.personId));
  return { may: isAlone, isAlone };
}

export type Act = { index: number; kind: string; name: string | null; at: Date };

/** What was done to the record since the report came, the newest first. */
export async function actsSince(db: Db | Tx, { vehicleId, visitId, reading, referenceId, receivedAt }: StoredReport): Promise<Act[]> {
  const { rows } = await sql<Act>`
    with subject (subject, id) as (
      select 'vehicle', joined_truck(${vehicleId}::uuid)::text
      union all select 'visit', ${visitId}::text
      union all select 'reference', ${referenceId}::text
      union all select 'reference', reference_id::text from visit where id = ${visitId}::uuid
      union all select 'calibration', (c.rego || '/' || c.id) collate "default" from calibration c
        where c.vehicle_id = joined_truck(${vehicleId}::uuid) and (c.visit_id = ${visitId}::uuid
          or c.rego = split_part(${reading}, '/', 1) and c.corrects_id = nullif(split_part(${reading}, '/', 2), '')::bigint))
    select l.index, a.name, l.at, case when l.kind = 'vehicle.updated' and exists (
        select from jsonb_array_elements(d.changes) c where c ->> 'field' = 'vin') then 'vin.corrected' else l.kind end as kind
    from subject s
      cross join lateral (select * from activity_log where subject = s.subject and subject_id = s.id and at >= ${receivedAt} offset 0) l
      left join activity_detail d on d.index = l.index left join actor a on a.id = l.actor_id
    where s.id is not null order by l.index desc`.execute(db);
  return rows;
}
