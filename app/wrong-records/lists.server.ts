// Lists of reports: for the office by the day due, for a reporter all of one address, for a technician what is asked.
import { sql, type RawBuilder } from 'kysely';
import { logSize } from '#app/activity-log/queries.server.ts';
import { listPage, type ListPage } from '#app/platform/database/list-page.server.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import { daysBetween, formatDay, todayIn } from '#app/platform/time/calendar.ts';
import type { ListAddress } from '#app/ui/list-address.ts';
import type { ReportServices } from './add-step.server.ts';
import { aboutOf, mayAct, PARTS, partsIn, recordWords, type StoredReport } from './queries.server.ts';
import { decisionLabel, kindLabel, numberWords, STATE_WORDS } from './report.ts';

const PER_PAGE = 20;

/** `where`: on `wrong_report`, alias r. */
export const REPORT_TABS = [
  { state: 'open', label: 'Open', where: sql`r.state not in ('received', 'decided', 'closed')` },
  { state: 'with-technician', label: 'With the technician', where: sql`r.state = 'with-technician'` },
  { state: 'second-look', label: 'Second look', where: sql`r.state = 'second-look'` },
  { state: 'decided', label: 'Decided', where: sql`r.decision is not null and r.state in ('decided', 'closed')` },
  { state: 'received', label: 'Not confirmed', where: sql`r.state = 'received'` },
] as const;
export type ReportTab = (typeof REPORT_TABS)[number]['state'];

export type ReportRow = {
  id: string;
  number: string;
  rego: string | null;
  record: string;
  kind: string;
  state: string;
  technician: string;
  /** 'in 6 days'; of a decided one, what was decided. */
  due: string;
  on: string;
  isSoon: boolean;
  /** Why this admin may not decide it; '': they may. */
  notYours: string;
};
export type ReportsPage = {
  since: number;
  state: ReportTab;
  list: ListPage<ReportRow>;
  tabs: { state: ReportTab; label: string; count: string }[];
};

const SOON_DAYS = 7;
type Found = StoredReport & { technician: string | null };

export async function reportsPage(
  services: ReportServices,
  reader: { personId: string; decides: 'decides' | 'reads' },
  { state, text, page }: { state: ReportTab } & ListAddress,
): Promise<ReportsPage> {
  const { db } = services;
  const since = await logSize(db);
  const where = REPORT_TABS.find((tab) => tab.state === state)?.where ?? sql`false`;
  const typed = `%${text.toUpperCase().replaceAll(/[^A-Z0-9]/g, '%')}%`;
  const fits = text === '' ? sql`true` : sql`(concat('R', r.year, lpad(r.number::text, 4, '0')) like ${typed}
    or exists (select from vehicle v where v.id = joined_truck(r.vehicle_id) and v.rego like ${typed}))`;
  const from = sql`wrong_report r where ${where} and ${fits}`;
  const list = await listPage({ page, perPage: PER_PAGE }, () => count(db, from), async (limit, offset) => {
    const order = state === 'decided' ? sql`r.decided_on desc` : sql`r.due_on`;
    const { rows } = await sql<Found>`select r.*, (select a.name from actor a where a.person_id = r.person_id
      order by a.id desc limit 1) as technician from ${from} order by ${order}, r.number limit ${limit} offset ${offset}`.execute(db);
    return presentRows(services, rows, reader);
  });
  const counts = REPORT_TABS.map(async (tab) => {
    const n = await count(db, sql`wrong_report r where ${tab.where}`);
    return { state: tab.state, label: tab.label, count: String(n) };
  });
  return { since, state, list, tabs: await Promise.all(counts) };
}

const count = async (db: Db, from: RawBuilder<unknown>): Promise<number> =>
  (await sql<{ n: number }>`select count(*) as n from ${from}`.execute(db)).rows[0]?.n ?? 0;

async function presentRows(
  { db, config, now }: ReportServices,
  reports: readonly Found[],
  reader?: { personId: string; decides: 'decides' | 'reads' },
): Promise<ReportRow[]> {
  const about = await aboutOf(db, reports.map(({ id }) => id));
  const today = todayIn(config.timeZone, now());
  const rows: ReportRow[] = [];
  for (const report of reports) {
    const { id, kind, state, decision, decidedOn, dueOn, technician } = report;
    const of = about.get(id);
    const left = daysBetween(today, dueOn);
    const isUndecided = state !== 'decided' && state !== 'closed';
    rows.push({
      id,
      number: numberWords(report),
      rego: of?.rego ?? of?.reference ?? null,
      record: of === undefined ? '' : recordWords(of, kind),
      kind: kindLabel(kind),
      state: STATE_WORDS[state],
      technician: technician ?? '–',
      due: isUndecided ? (left < 0 ? `${-left} days ago` : `in ${left} days`) : decisionLabel(decision),
      on: isUndecided ? formatDay(dueOn, 'short') : decidedOn === null ? '' : formatDay(decidedOn, 'short'),
      isSoon: isUndecided && left <= SOON_DAYS,
      notYours: reader?.decides === 'decides' && isUndecided ? await whyNotYours(db, report, reader.personId) : '',
    });
  }
  return rows;
}

async function whyNotYours(db: Db, report: StoredReport, personId: string): Promise<string> {
  const parts = await partsIn(db, report);
  const part = parts.find((one) => one.personId === personId)?.part;
  return part === undefined || (await mayAct(db, personId, parts)).may ? '' : `you ${PARTS[part]}`;
}

/** All reports of an address, the newest first. */
export async function reportsOfAddress(services: ReportServices, email: string): Promise<ReportRow[]> {
  const reports = await services.db.selectFrom('wrongReport').selectAll().where('email', '=', email).orderBy('number', 'desc').execute();
  return presentRows(services, reports.map((report) => ({ ...report, technician: null })));
}

/** What waits: for the technician `personId` an answer; null: for an admin a decision. Told by the digest. */
export async function reportsWaiting({ db }: Pick<ReportServices, 'db'>): Promise<{ id: string; number: string; personId: string | null }[]> {
  const rows = await db
    .selectFrom('wrongReport')
    .select(['id', 'year', 'number', 'state', 'personId'])
    .where('state', 'not in', ['received', 'decided', 'closed'])
    .orderBy('dueOn')
    .execute();
  return rows.map(({ id, state, personId, ...of }) => ({
    id,
    number: numberWords(of),
    personId: state === 'with-technician' ? personId : null,
  }));
}
