// One report as its page shows it: to the reporter, to the technician who is asked, and to the office. Nobody is shown
// who the reporter is.
import { href } from 'react-router';
import { kindWords } from '#app/activity-log/activity.ts';
import { logSize } from '#app/activity-log/queries.server.ts';
import { newIdempotencyKey } from '#app/platform/database/idempotency-key.server.ts';
import { addDays, daysBetween, formatDay, formatInstant, todayIn } from '#app/platform/time/calendar.ts';
import { sql } from 'kysely';
import type { ReportAudience, ReportDecision, ReportStep } from '#database/report-tables.ts';
import type { Reader, ReportServices } from './add-step.server.ts';
import { actsSince, listReports, mayAct, PARTS, partsIn, recordWords, stepsOf } from './queries.server.ts';
import type { StoredReport, StoredStep } from './queries.server.ts';
import { ANSWER_DAYS, CLOSED_AFTER_DAYS, DECISIONS, decisionLabel, isDecided, isStep, kindLabel } from './report.ts';
import { mayRead, numberWords, refusalOf, stateOf, stateWords, STEPS } from './report.ts';

export type ShownReport = {
  since: number;
  as: ReportAudience;
  topic: 'reports' | `person:${string}`;
  number: string;
  kind: string;
  heading: string;
  lead: string;
  isDueSoon: boolean;
  name: string;
  record: string;
  to: string;
  /** `on`: when, in words. The last that is done is the present one. */
  steps: { words: string; on: string; done: boolean }[];
  said: { who: string; on: string; words: string; files: { id: string; name: string }[] }[];
  /** The entry of the public log that says what was decided. */
  entry: number | null;
  may: ReportStep[];
  formKey: string;
  office: OfficePart | null;
};
type OfficePart = {
  parts: { name: string; words: string }[];
  standing: 'yours' | 'alone' | 'not-yours';
  /** Each with the act behind it; null: none was done yet. */
  decisions: { value: ReportDecision; label: string }[];
};

export async function reportPage(
  { db, config, now }: ReportServices,
  { id }: StoredReport,
  reader: Reader,
): Promise<ShownReport> {
  const since = await logSize(db);
  const [report] = await listReports(db, sql`r.id = ${id}`);
  if (report === undefined) throw new Error('a report went while its page was made');
  const { kind, name, vehicleId, visitId, referenceId, decision, dueOn } = report;
  const steps = await stepsOf(db, id);
  const zone = config.timeZone;
  const today = todayIn(zone, now());
  const state = stateOf(steps, today);
  const left = daysBetween(today, dueOn);
  const mayNow = Object.keys(STEPS)
    .filter(isStep)
    .filter((step) => refusalOf(steps, { step, by: reader.as, today }) === undefined)
    .filter((step) => step !== 'confirmed' || (reader.as === 'reporter' && reader.byMail));
  const ended = decision === null ? 'Nothing more is done about it.' : endedWords(report, steps);
  const waits = `Decided by ${formatDay(dueOn)}, ${left < 0 ? `${-left} days ago` : `in ${left} days`}.`;
  const visit = visitId === null ? '' : `#${visitId}`;
  return {
    since,
    as: reader.as,
    topic: reader.as === 'technician' ? `person:${reader.who.personId}` : 'reports',
    number: numberWords(report),
    kind: kindLabel(kind),
    heading: state === 'decided' ? `Decided: ${decisionLabel(decision).toLowerCase()}` : stateWords(state),
    lead: isDecided(state) ? ended : waits,
    isDueSoon: !isDecided(state) && left <= 7,
    name,
    record: recordWords(report, kind),
    to:
      vehicleId === null
        ? href('/references/:id', { id: referenceId ?? '' })
        : `${href('/vehicles/view/:rego', { rego: name })}${visit}`,
    steps: [...steps.map((step) => doneStep(step, reader, zone)), ...stepsAhead(report, steps, today)],
    said: steps
      .filter((step) => mayRead(reader.as, step) && (step.words !== '' || step.files.length > 0))
      .map((step) => ({ ...step, who: whoWords(reader, step), on: formatInstant(step.at, zone) }))
      .map(({ who, on, words, files }) => ({ who, on, words, files })),
    entry: decision === null ? null : report.leafIndex,
    may: mayNow,
    formKey: newIdempotencyKey(),
    office: reader.as === 'office' ? await officePart(db, report, { personId: reader.who.personId, zone }) : null,
  };
}

function endedWords({ decidedOn, decision }: StoredReport, steps: readonly StoredStep[]): string {
  const on = `On ${formatDay(decidedOn ?? '')}`;
  if (decision === 'taken-back') return `${on}.`;
  return steps.findLast(({ step }) => step === 'decided')?.isAlone === true
    ? `${on}, by the only administrator, who had a part in the record.`
    : `${on}, by an administrator who had no part in it.`;
}

function whoWords(reader: Reader, { by, name }: StoredStep): string {
  if (by === 'reporter') return reader.as === 'reporter' ? 'You' : 'The reporter';
  if (by === 'technician') return `${name ?? 'Somebody'}, the technician`;
  return reader.as === 'office' ? `${name ?? 'Somebody'}, to the reporter` : 'The office';
}

function doneStep(
  { step, at, name, onDay, act }: StoredStep,
  reader: Reader,
  zone: string,
): ShownReport['steps'][number] {
  const more = [
    step === 'asked' ? `an answer is due by ${formatDay(addDays(onDay, ANSWER_DAYS))}` : '',
    reader.as === 'office' && name !== null ? `by ${name}` : '',
    reader.as === 'office' && act !== null ? kindWords(act).toLowerCase() : '',
  ];
  return { words: STEPS[step].words, on: [formatInstant(at, zone), ...more].filter(Boolean).join(', '), done: true };
}

function stepsAhead(
  { dueOn, decidedOn }: StoredReport,
  steps: readonly StoredStep[],
  today: string,
): ShownReport['steps'] {
  const state = stateOf(steps, today);
  if (state === 'closed') return [];
  const ahead = (words: string, on: string) => ({ words, on, done: false });
  const closes = ahead(
    'Closed',
    decidedOn === null ? '' : `by itself on ${formatDay(addDays(decidedOn, CLOSED_AFTER_DAYS + 1))}`,
  );
  if (state === 'decided') return [closes];
  const has = (...names: ReportStep[]) => steps.some(({ step }) => names.includes(step));
  return [
    ...(has('confirmed') ? [] : [ahead(STEPS.confirmed.words, '')]),
    ...(has('asked', 'opened') ? [] : [ahead(STEPS.asked.words, '')]),
    ...(has('answered', 'opened') ? [] : [ahead(STEPS.answered.words, '')]),
    ahead(STEPS.decided.words, `by ${formatDay(dueOn)}`),
  ];
}

async function officePart(
  db: ReportServices['db'],
  report: StoredReport,
  { personId, zone }: { personId: string; zone: string },
): Promise<OfficePart> {
  const parts = await partsIn(db, report);
  const { may, isAlone } = await mayAct(db, personId, parts);
  const acts = await actsSince(db, report);
  const behind = (needed: readonly string[]): string => {
    const act = acts.find(({ kind }) => needed.includes(kind));
    if (act === undefined) return needed.length === 0 ? '' : ' (not done yet)';
    return `: ${kindWords(act.kind)}, ${formatInstant(act.at, zone)}, by ${act.name ?? 'the registry'}`;
  };
  const mayOnly = may ? 'yours' : 'not-yours';
  return {
    parts: parts.map((one) => ({ name: one.personId === personId ? 'You' : one.name, words: PARTS[one.part] })),
    standing: isAlone ? 'alone' : mayOnly,
    decisions: DECISIONS.map(({ value, label, acts: needed }) => ({ value, label: `${label}${behind(needed)}` })),
  };
}
