// One finding with the records that it rests on, for an admin who decides, or for the technician who answers.
import { logSize } from '#app/activity-log/queries.server.ts';
import type { SignedIn } from '#app/access/session.server.ts';
import { hasOtherAdmin } from '#app/people/two-people.server.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import { newIdempotencyKey } from '#app/platform/database/idempotency-key.server.ts';
import { isUuid } from '#app/platform/process/uuid.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { addDays, formatDay, formatInstant } from '#app/platform/time/calendar.ts';
import { findAccount } from '#app/access/queries.server.ts';
import { emailSegment } from '#app/people/email-key.ts';
import { axleLabel } from '#app/vehicles/axle.ts';
import { askedSoFar, whyConcerned, type StoredFinding } from './decide-finding.server.ts';
import { ANSWER_DAYS, mayAct, outcomeOf } from './finding.ts';
import { NAME } from './findings-page.server.ts';
import { loadVisits } from './load-sample.server.ts';
import { METHOD, METHOD_VERSION } from './method.ts';
import { plotFinding } from './plot-finding.ts';
import { chanceWords, factsOf, isPattern, numberWords } from './present-finding.ts';
import type { SampleVisit } from './sample.ts';
import { sql } from 'kysely';

/** More are not shown side by side. */
const SHOWN_MAX = 40;

export type ShownRecord = Awaited<ReturnType<typeof shownRecords>>[number];
export type FindingPage = NonNullable<Awaited<ReturnType<typeof findingPage>>>;

/** Undefined: there is no such finding, or `only` may not see it. `only`: the technician, once asked. */
export async function findingPage(
  services: Pick<Services, 'db' | 'config' | 'now'>,
  who: SignedIn,
  { id, only }: { id: string; only: 'admins' | 'technician' },
) {
  const { db, config, now } = services;
  if (!isUuid(id)) return undefined;
  const since = await logSize(db);
  const { rows } =
    await sql<Found>`select f.*, ${NAME} as technician from pattern_finding f where f.id = ${id}`.execute(db);
  const finding = rows[0];
  if (finding === undefined || !isPattern(finding.pattern)) return undefined;
  const zone = config.timeZone;
  const method = METHOD[finding.pattern];
  const asked = await askedSoFar(db, finding, { now, zone });
  const steps = await stepsOf(db, id);
  const askedOn = steps.find(({ step }) => step === 'asked')?.onDay;
  if (only === 'technician' && (finding.personId !== who.personId || askedOn === undefined)) return undefined;
  const newest = await loadVisits(db, finding.visitIds, SHOWN_MAX);
  // Those that belong together beside each other, as the look found them.
  const records = newest.toSorted((a, b) => finding.visitIds.indexOf(a.id) - finding.visitIds.indexOf(b.id));
  const shown = await shownRecords(db, records, zone);
  const plotted = records.map((visit, place) => ({ ...visit, rego: shown[place]?.rego ?? '' }));
  return {
    since,
    id,
    pattern: finding.pattern,
    name: method.name,
    // What would be seen where nothing is behind it.
    nullModel: method.nullModel,
    cannotSee: method.cannotSee,
    methodVersion: finding.methodVersion,
    isOldMethod: finding.methodVersion !== METHOD_VERSION,
    technician: finding.technician,
    state: finding.state,
    found: formatDay(finding.foundOn),
    numbers: `${numberWords(finding)}, ${chanceWords(finding.p)}`,
    facts: factsOf(finding.pattern, finding),
    plot: plotFinding(finding.pattern, finding.facts, plotted),
    todo: only === 'admins' && finding.state === 'decided' ? await todoOf(db, finding, newestOf(records)) : null,
    records: shown,
    // How many more visits it rests on.
    more: Math.max(0, finding.visitIds.length - records.length),
    steps: steps
      .filter(({ step }) => step !== 'opened' || only === 'admins')
      .map(({ step, outcome, words, isAlone, at, name }) => ({
        words: step === 'decided' ? (outcomeOf(outcome)?.words ?? outcome) : STEP_WORDS[step],
        by: name,
        at: formatInstant(at, zone),
        text: words,
        alone: isAlone,
      })),
    concerned: only === 'technician' ? null : ((await whyConcerned(db, who, { ...finding, now: now() })) ?? null),
    isAlone: !(await hasOtherAdmin(db, who.personId)),
    mayAct: mayAct(asked),
    mayAsk: finding.state === 'open' && asked.askedDays === undefined,
    // Until when an answer is waited for; null: nobody was asked.
    answerUntil: askedOn === undefined ? null : formatDay(addDays(askedOn, ANSWER_DAYS)),
    decideKey: newIdempotencyKey(),
    askKey: newIdempotencyKey(),
  };
}

type Found = StoredFinding & { technician: string };

const newestOf = (visits: readonly SampleVisit[]): string | undefined =>
  visits.toSorted((one, other) => other.at - one.at)[0]?.id;

// What acts is done by a form of its own.
async function todoOf(db: Db, { outcome, personId }: Found, newest: string | undefined) {
  const account = personId === null ? undefined : await findAccount(db, personId);
  if (outcome === 'recall')
    return { words: 'A weighbridge is withdrawn on its own page.', to: '/references', label: 'Weighbridges' };
  if (outcome === 'suspend' && account?.role === 'technician')
    return {
      words: 'They are suspended by a form of its own.',
      to: `/technicians/suspend/${emailSegment(account.email)}`,
      label: 'Suspend the technician',
    };
  if (outcome === 'check-visit' && newest !== undefined)
    return {
      words: 'A check visit is asked for with the newest of the visits above.',
      to: `/visits/${newest}/check`,
      label: 'Ask for a check visit',
    };
  if (outcome === 'set-aside' && newest !== undefined)
    return {
      words: 'Each visit is set aside on its own page; the records above lead there.',
      to: `/visits/${newest}`,
      label: 'Open the newest visit',
    };
  return null;
}

const STEP_WORDS = { opened: 'Opened', asked: 'Technician asked', answered: 'Answer of the technician' } as const;

const stepsOf = async (db: Db, findingId: string) =>
  db
    .selectFrom('patternStep')
    .innerJoin('actor', 'actor.id', 'patternStep.actorId')
    .select(['step', 'outcome', 'words', 'isAlone', 'onDay', 'at', 'actor.name'])
    .where('findingId', '=', findingId)
    .orderBy('patternStep.id')
    .execute();

async function shownRecords(db: Db, visits: readonly SampleVisit[], zone: string) {
  if (visits.length === 0) return [];
  const ids = visits.map(({ id }) => id);
  const named = await db
    .selectFrom('visit')
    .innerJoin('vehicle', 'vehicle.id', 'visit.vehicleId')
    .leftJoin('actor', 'actor.id', 'visit.technicianId')
    .leftJoin('calibrationSet', 'calibrationSet.id', 'visit.id')
    .select(['visit.id', 'rego', 'actor.name', 'weighbridge'])
    .where('visit.id', 'in', ids)
    .execute();
  return visits.map(({ id, at, make, ticket, axles }) => {
    const known = named.find((one) => one.id === id);
    return {
      id,
      rego: known?.rego ?? '',
      technician: known?.name ?? 'N/A',
      at: formatInstant(new Date(at), zone),
      make,
      place: known?.weighbridge ?? '',
      ticket,
      axles: axles.map((one) => ({
        label: axleLabel(one.axle),
        cells: [volts(one.emptyVolt), kilograms(one.emptyWeight), volts(one.loadedVolt), kilograms(one.loadedWeight)],
        found: foundWords(one.foundEmpty, one.foundLoaded),
      })),
    };
  });
}

const foundWords = (empty: number | null, loaded: number | null): string =>
  empty === null && loaded === null
    ? 'N/A'
    : [empty, loaded].map((mass) => (mass === null ? 'N/A' : kilograms(mass))).join(' / ');
const volts = (hundredths: number): string => `${(hundredths / 100).toFixed(2)} V`;
const kilograms = (mass: number): string => `${mass.toLocaleString('en-AU')} kg`;
