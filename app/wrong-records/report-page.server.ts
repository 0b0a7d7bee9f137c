// One report as its page shows it: to the reporter, to the technician who is asked, and to the office. Nobody is shown
// who the reporter is.
import { href } from 'react-router';
import { logSize } from '#app/activity-log/queries.server.ts';
import { kindWords } from '#app/activity-log/activity.ts';
import { newIdempotencyKey } from '#app/platform/database/idempotency-key.server.ts';
import { addDays, daysBetween, formatDay, formatInstant, todayIn } from '#app/platform/time/calendar.ts';
import type { ReportAudience, ReportDecision, ReportState, ReportStep } from '#database/report-tables.ts';
import type { ReportServices } from './add-step.server.ts';
import {
  aboutOf,
  actsSince,
  findReport,
  mayAct,
  PARTS,
  partsIn,
  recordWords,
  stepsOf,
  type About,
  type StoredReport,
  type StoredStep,
} from './queries.server.ts';
import {
  ANSWER_DAYS,
  CLOSED_AFTER_DAYS,
  DECISIONS,
  decisionLabel,
  isStep,
  kindLabel,
  mayRead,
  numberWords,
  refusalOf,
  STATE_WORDS,
  stateOf,
  STEPS,
} from './report.ts';

export type ShownReport = {
  since: number;
  id: string;
  number: string;
  kind: string;
  state: ReportState;
  heading: string;
  lead: string;
  /** Why it says so; '': nothing. */
  by: string;
  rego: string | null;
  plateState: string;
  record: string;
  to: string;
  /** `on`: when, in words. The last that is done is the present one. */
  steps: { words: string; on: string; done: boolean }[];
  said: { who: string; on: string; words: string; files: { id: string; name: string }[] }[];
  /** The entry of the public log that says what was decided. */
  entry: number | null;
  may: ReportStep[];
  dueInDays: number | null;
  formKey: string;
};
export type OfficePart = {
  parts: { name: string; words: string }[];
  standing: 'yours' | 'alone' | 'not-yours';
  /** Each with the act behind it; null: none was done yet. */
  decisions: { value: ReportDecision; label: string; act: string | null }[];
};

/** Undefined: there is none, or this technician was not asked. */
export async function reportPage(
  services: ReportServices,
  id: string,
  reader: { audience: ReportAudience; personId?: string },
): Promise<ShownReport | undefined> {
  const { db, config, now } = services;
  const since = await logSize(db);
  const report = await findReport(db, id);
  if (report === undefined) return undefined;
  const steps = await stepsOf(db, id);
  const { audience } = reader;
  if (audience === 'technician' && (report.personId !== reader.personId || !steps.some(({ step }) => step === 'asked')))
    return undefined;
  const today = todayIn(config.timeZone, now());
  const about = (await aboutOf(db, [id])).get(id);
  const state = stateOf(steps, today);
  const isUndecided = state !== 'decided' && state !== 'closed';
  return {
    since,
    id,
    number: numberWords(report),
    kind: kindLabel(report.kind),
    state,
    heading: state === 'decided' ? `Decided: ${decisionLabel(report.decision).toLowerCase()}` : STATE_WORDS[state],
    lead: leadOf(report, { today, state }),
    by: decidedBy(report, steps),
    rego: about?.rego ?? null,
    plateState: about?.plateState ?? '',
    record: about === undefined ? '' : `${about.reference ?? ''} ${recordWords(about, report.kind)}`.trim(),
    to: about === undefined ? '' : recordAddress(about),
    steps: presentSteps(report, steps, { audience, zone: config.timeZone, state }),
    said: steps
      .filter((one) => mayRead(audience, one) && (one.words !== '' || one.files.length > 0))
      .map(({ by, name, at, words, files }) => ({
        who: whoWords(audience, by, name),
        on: formatInstant(at, config.timeZone),
        words,
        files,
      })),
    entry: report.decision === null ? null : report.leafIndex,
    may: Object.keys(STEPS).filter(
      (step): step is ReportStep => isStep(step) && refusalOf(steps, { step, by: audience }, today) === undefined,
    ),
    dueInDays: isUndecided ? daysBetween(today, report.dueOn) : null,
    formKey: newIdempotencyKey(),
  };
}

export const recordAddress = ({ rego, visitId, referenceId }: About): string =>
  referenceId === null ? `${href('/vehicles/view/:rego', { rego: rego ?? '' })}${visitId === null ? '' : `#${visitId}`}` : href('/references/:id', { id: referenceId });

function leadOf({ dueOn, decidedOn }: StoredReport, { today, state }: { today: string; state: ReportState }): string {
  if (state === 'received') return 'We sent a link to the address that you gave. Nobody reads the report before you press it.';
  if (decidedOn !== null && (state === 'decided' || state === 'closed')) return `On ${formatDay(decidedOn)}.`;
  if (state === 'closed') return 'Nothing more is done about it.';
  const left = daysBetween(today, dueOn);
  return `Decided by ${formatDay(dueOn)}, ${left < 0 ? `${-left} days ago` : `in ${left} days`}.`;
}

function decidedBy({ decision }: StoredReport, steps: readonly StoredStep[]): string {
  const decided = steps.findLast(({ step }) => step === 'decided');
  if (decided === undefined || decision === null || decision === 'taken-back') return '';
  return decided.isAlone
    ? 'By an administrator who had a part in the record: there is no other who could decide.'
    : 'By an administrator who had no part in it.';
}

function whoWords(reader: ReportAudience, by: ReportAudience, name: string | null): string {
  if (by === 'reporter') return reader === 'reporter' ? 'You' : 'The reporter';
  if (by === 'technician') return `${name ?? 'Somebody'}, the technician`;
  return reader === 'office' ? `${name ?? 'Somebody'}, to the reporter` : 'The office';
}

const AHEAD = ['confirmed', 'asked', 'answered', 'decided'] as const;

function presentSteps(
  { dueOn, decidedOn, decision }: StoredReport,
  steps: readonly StoredStep[],
  { audience, zone, state }: { audience: ReportAudience; zone: string; state: ReportState },
): ShownReport['steps'] {
  const done = steps.map(({ step, at, name, onDay, actKind }) => ({
    words: STEPS[step].words,
    on: [
      formatInstant(at, zone),
      ...(audience === 'office' && name !== null ? [`by ${name}`] : []),
      ...(step === 'asked' ? [`an answer is due by ${formatDay(addDays(onDay, ANSWER_DAYS))}`] : []),
      ...(audience === 'office' && actKind !== null ? [kindWords(actKind).toLowerCase()] : []),
    ]
      .filter(Boolean)
      .join(', '),
    done: true,
  }));
  if (state === 'closed') return done;
  const wasOpened = steps.some(({ step }) => step === 'opened');
  const ahead = AHEAD.filter(
    (step) => !steps.some((one) => one.step === step) && !(wasOpened && (step === 'asked' || step === 'answered')),
  ).map((step) => ({
    words: STEPS[step].words,
    on: step === 'decided' ? `by ${formatDay(dueOn)}` : '',
    done: false,
  }));
  const closes = decision === null || decidedOn === null ? '' : `by itself on ${formatDay(addDays(decidedOn, CLOSED_AFTER_DAYS + 1))}`;
  return [...done, ...ahead, { words: 'Closed', on: state === 'decided' ? closes : '', done: false }];
}

/** What an admin needs to decide. */
export async function officePart({ db, config }: ReportServices, id: string, personId: string): Promise<OfficePart | undefined> {
  const report = await findReport(db, id);
  if (report === undefined) return undefined;
  const parts = await partsIn(db, report);
  const { may, isAlone } = await mayAct(db, personId, parts);
  const acts = await actsSince(db, report);
  return {
    parts: parts.map(({ name, part, personId: of }) => ({ name: of === personId ? 'You' : name, words: PARTS[part] })),
    standing: isAlone ? 'alone' : may ? 'yours' : 'not-yours',
    decisions: DECISIONS.map(({ value, label, acts: needed }) => {
      const act = acts.find(({ kind }) => needed.includes(kind));
      const words = act === undefined ? null : `${kindWords(act.kind)}, ${formatInstant(act.at, config.timeZone)}, ${act.name ?? 'Anonymous'}`;
      return { value, label, act: needed.length === 0 ? '' : words };
    }),
  };
}
