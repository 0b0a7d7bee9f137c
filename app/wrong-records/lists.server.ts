// Reports in a line each: for the office by the day due, for a reporter all of one address.
import { sql, type RawBuilder } from 'kysely';
import { logSize } from '#app/activity-log/queries.server.ts';
import { listPage } from '#app/platform/database/list-page.server.ts';
import { daysBetween, formatDay, todayIn } from '#app/platform/time/calendar.ts';
import type { ListAddress } from '#app/ui/list-address.ts';
import type { ReportServices } from './add-step.server.ts';
import { listReports, mayAct, PARTS, partsIn, recordWords, type ListedReport } from './queries.server.ts';
import { decisionLabel, isDecided, kindLabel, NUMBER_SQL, numberWords, stateWords } from './report.ts';

const PER_PAGE = 20;
const SOON_DAYS = 7;
const OPEN = sql`r.state not in ('received', 'decided', 'closed')`;
const REPORT_TABS = [
  { state: 'open', label: 'Open', where: OPEN },
  { state: 'asked', label: 'With the technician', where: sql`r.state = 'asked'` },
  { state: 'second-look', label: 'Second look', where: sql`r.state = 'second-look'` },
  { state: 'decided', label: 'Decided', where: sql`r.decision is not null and r.state in ('decided', 'closed')` },
] as const;
export type ReportTab = (typeof REPORT_TABS)[number]['state'];
export const reportTab = (params: URLSearchParams): ReportTab =>
  REPORT_TABS.find((tab) => tab.state === params.get('state'))?.state ?? 'open';

export type ReportRow = ReturnType<typeof presentRow>;

/** `due`: 'in 6 days', or what was decided; `on`: the day of it. Both '' where it was closed undecided. */
export function presentRow({ config, now }: ReportServices, report: ListedReport) {
  const { id, kind, name, state, decision, decidedOn, dueOn, technician } = report;
  const left = daysBetween(todayIn(config.timeZone, now()), dueOn);
  const row = { id, number: numberWords(report), name, record: recordWords(report, kind), kind: kindLabel(kind) };
  const known = { ...row, state: stateWords(state), technician: technician ?? '' };
  if (!isDecided(state))
    return {
      ...known,
      due: left < 0 ? `${-left} days ago` : `in ${left} days`,
      on: formatDay(dueOn),
      isSoon: left <= SOON_DAYS,
    };
  const [due, on] = decidedOn === null ? ['', ''] : [decisionLabel(decision), formatDay(decidedOn)];
  return { ...known, due, on, isSoon: false };
}

/** Of a report r: `text` is in its number, or in the rego of its truck. */
export const fitsText = (text: string): RawBuilder<boolean> => {
  const typed = `%${text.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')}%`;
  return sql`(replace(${sql.raw(NUMBER_SQL)}, '-', '') like ${typed} or exists (
    select from vehicle v where v.id = joined_truck(r.vehicle_id) and v.rego like ${typed}))`;
};

export async function reportsPage(
  services: ReportServices,
  personId: string,
  { state, text, page }: { state: ReportTab } & ListAddress,
) {
  const { db } = services;
  const since = await logSize(db);
  const shown = sql`${REPORT_TABS.find((tab) => tab.state === state)?.where ?? OPEN} and ${fitsText(text)}`;
  const count = async (where = shown) =>
    (await sql<{ n: number }>`select count(*) as n from wrong_report r where ${where}`.execute(db)).rows[0]?.n ?? 0;
  const list = await listPage({ page, perPage: PER_PAGE }, count, async (limit, offset) => {
    const order = sql`order by coalesce(r.decided_on, '-infinity') desc, r.due_on, r.number`;
    const reports = await listReports(db, shown, sql`${order} limit ${limit} offset ${offset}`);
    const rows = reports.map(async (report) => {
      const parts = isDecided(report.state) ? [] : await partsIn(db, report);
      const part = parts.find((one) => one.personId === personId)?.part;
      const isTheirs = part === undefined || (await mayAct(db, personId, parts)).may;
      // Why this admin may not decide it.
      return { ...presentRow(services, report), notYours: isTheirs ? '' : `you ${PARTS[part]}` };
    });
    return Promise.all(rows);
  });
  const tabs = REPORT_TABS.map(async ({ where, ...tab }) => ({ ...tab, count: String(await count(where)) }));
  return { since, list, tabs: await Promise.all(tabs) };
}

/** What the technician was asked about, the newest first. */
export async function reportsAskedOf(services: ReportServices, personId: string): Promise<ReportRow[]> {
  const where = sql`r.person_id = ${personId} and exists (
    select from wrong_report_step s where s.report_id = r.id and s.step = 'asked')`;
  const reports = await listReports(services.db, where, sql`order by r.number desc`);
  return reports.map((report) => presentRow(services, report));
}

/** All reports of an address, the newest first. */
export async function reportsOfAddress(services: ReportServices, email: string): Promise<ReportRow[]> {
  const reports = await listReports(services.db, sql`r.email = ${email}`, sql`order by r.number desc`);
  return reports.map((report) => presentRow(services, report));
}
