// One report as its page shows it: to the reporter, to the technician who is asked, and to the office. Nobody is shown
// who the reporter is.
import { sql } from 'kysely';
import { href } from 'react-router';
import { kindWords } from '#app/activity-log/activity.ts';
import { logSize } from '#app/activity-log/queries.server.ts';
import { newIdempotencyKey } from '#app/platform/database/idempotency-key.server.ts';
import { addDays, formatDay, formatInstant, todayIn } from '#app/platform/time/calendar.ts';
import type { ReportStep } from '#database/report-tables.ts';
import type { Reader, ReportServices } from './add-step.server.ts';
import { presentRow, type ReportRow } from './lists.server.ts';
import { actsSince, listReports, mayAct, PARTS, partsIn, stepsOf } from './queries.server.ts';
import type { StoredReport, StoredStep } from './queries.server.ts';
import { actBehind, ANSWER_DAYS, CLOSED_AFTER_DAYS, DECISIONS, isDecided, isStep } from './report.ts';
import { mayRead, refusalOf, REFUSALS, stateOf, stateWords, STEPS } from './report.ts';

export type ShownReport = Awaited<ReturnType<typeof reportPage>>;
/** `on`: when, in words. The last that is done is the present one. */
type ShownStep = { words: string; on: string; done: boolean };

export async function reportPage(services: ReportServices, id: string, reader: Reader) {
  const { db, config, now } = services;
  const since = await logSize(db);
  const [report] = await listReports(db, sql`r.id = ${id}`);
  if (report === undefined) throw new Error('a report went while its page was made');
  const { name, visitId, referenceId, decision } = report;
  const steps = await stepsOf(db, id);
  const today = todayIn(config.timeZone, now());
  const state = stateOf(steps, today);
  const row = presentRow(services, { ...report, state });
  const office = reader.as === 'office' ? await officePart(services, report, reader.who.personId) : null;
  const mayNow = Object.keys(STEPS)
    .filter(isStep)
    .filter((step) => {
      const isOwn = reader.as === 'reporter' ? reader.byMail || step !== 'confirmed' : office?.may !== false;
      return isOwn && refusalOf(steps, { step, by: reader.as, today }) === undefined;
    });
  const truck = href('/vehicles/view/:rego', { rego: name });
  const record = reader.as === 'office' && visitId !== null ? href('/visits/:id', { id: visitId }) : truck;
  return {
    ...row,
    since,
    as: reader.as,
    topic: reader.as === 'technician' ? (`person:${reader.who.personId}` as const) : ('reports' as const),
    heading: state === 'decided' ? `Decided: ${row.due.toLowerCase()}` : stateWords(state),
    lead: isDecided(state) ? endedWords(row, steps) : `Decided by ${row.on}, ${row.due}.`,
    /** The address of the record. */
    to: referenceId === null ? record : href('/references/:id', { id: referenceId }),
    steps: [...steps.map((step) => doneStep(step, reader, config.timeZone)), ...stepsAhead(row, steps, today)],
    said: steps
      .filter((step) => mayRead(reader.as, step) && (step.words !== '' || step.files.length > 0))
      .map((step) => ({ step, who: whoWords(reader, step), on: formatInstant(step.at, config.timeZone) }))
      .map(({ step: { words, files }, ...by }) => ({ ...by, words, files })),
    /** The entry of the public log that says what was decided. */
    entry: decision === null ? null : report.leafIndex,
    may: mayNow,
    idempotencyKey: newIdempotencyKey(),
    office,
  };
}

function endedWords({ on }: ReportRow, steps: readonly StoredStep[]): string {
  const decided = steps.findLast(({ step }) => step === 'decided');
  if (decided === undefined) return 'Nothing more is done about it.';
  return decided.isAlone
    ? `On ${on}, by the only administrator, who had a part in the record.`
    : `On ${on}, by an administrator who had no part in it.`;
}

function whoWords(reader: Reader, { by, name }: StoredStep): string {
  if (by === 'reporter') return reader.as === 'reporter' ? 'You' : 'The reporter';
  if (by === 'technician') return `${name ?? 'Somebody'}, the technician`;
  return reader.as === 'office' ? `${name ?? 'Somebody'}, to the reporter` : 'The office';
}

function doneStep({ step, at, name, onDay, act }: StoredStep, reader: Reader, zone: string): ShownStep {
  const more = [
    step === 'asked' ? `an answer is due by ${formatDay(addDays(onDay, ANSWER_DAYS))}` : '',
    reader.as === 'office' && name !== null ? `by ${name}` : '',
    reader.as === 'office' && act !== null ? kindWords(act).toLowerCase() : '',
  ];
  return { words: STEPS[step].words, on: [formatInstant(at, zone), ...more].filter(Boolean).join(', '), done: true };
}

const AHEAD = [['confirmed'], ['asked', 'opened'], ['answered', 'opened'], ['decided']] as const;

function stepsAhead({ on }: ReportRow, steps: readonly StoredStep[], today: string): ShownStep[] {
  const state = stateOf(steps, today);
  const decided = steps.findLast(({ step }) => step === 'decided');
  if (state === 'closed') return [];
  if (state === 'decided') {
    const day = formatDay(addDays(decided?.onDay ?? today, CLOSED_AFTER_DAYS + 1));
    return [{ words: 'Closed', on: `by itself on ${day}`, done: false }];
  }
  const isAhead = (names: readonly ReportStep[]) =>
    !steps.some(({ step }) => step !== 'decided' && names.includes(step));
  return AHEAD.filter(isAhead).map(([step]) => ({
    words: STEPS[step].words,
    on: step === 'decided' ? `by ${on}` : '',
    done: false,
  }));
}

// `parts`: who had one. `decisions`: each with the act behind it.
async function officePart({ db, config }: ReportServices, report: StoredReport, personId: string) {
  const parts = await partsIn(db, report);
  const acts = await actsSince(db, report);
  const behind = (decision: (typeof DECISIONS)[number]): string => {
    const act = actBehind(decision, acts);
    if (act === undefined) return decision.acts.length === 0 ? '' : ' (not done yet)';
    return `: ${kindWords(act.kind)}, ${formatInstant(act.at, config.timeZone)}, by ${act.name ?? 'the registry'}`;
  };
  const { may, isAlone } = await mayAct(db, personId, parts);
  return {
    may,
    isAlone,
    refusal: may ? '' : REFUSALS['not-yours'],
    parts: parts.map((one) => `${one.personId === personId ? 'You' : one.name} ${PARTS[one.part]}`),
    decisions: DECISIONS.map((one) => ({ value: one.value, label: `${one.label}${behind(one)}` })),
  };
}
