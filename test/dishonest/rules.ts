// When a verdict may become better, in few words, written from the rules of evidence and from nothing of the product:
// one truck, what was done about it, and what anybody reads before and after.

const DAY_MS = 86_400_000;
const NEW_DAYS = 90;
const NOTICE_DAYS = 7;
/** The longest interval that any rules may have. */
const INTERVAL_MAX = 732;

export type Somebody = {
  id: string;
  email: string;
  isAdmin: boolean;
  addedAt: Date;
  /** Who let them in; of the first ones nobody. */
  addedBy: string | null;
  /** An admin who was removed exists until that stands. */
  removal: { by: string; at: Date; stands: boolean } | null;
};

/** `faults`: the checks that it must fail, as anybody who made it up knows. */
export type Recorded = {
  vehicleId: string;
  vin: string;
  day: string;
  dueOn: string | null;
  parts: Set<string>;
  faults: Set<string>;
  /** It counted, or was accepted. */
  stood: boolean;
  /** As it was recorded, or corrected within the days of 'prompt', its line is the truck's. */
  isOwnLine: boolean;
  isCorrectedLate: boolean;
};

export type Rules = {
  version: number;
  checks: Readonly<Record<string, string>>;
  everyVisitWaits: boolean;
  longest: number;
  prompt: number;
};

/**
 * What anybody reads. `until`: the last day on which the verdict is good, if nothing more happens; '' where it is none.
 */
export type Read = {
  vehicleId: string;
  until: string;
  ticked: boolean;
  ruling: { visit: string | null; day: string } | null;
  rules: Rules;
};

export type Proposal = { by: string; at: Date };
/** What somebody did and the registry took; `time` passed, and the registry did what it does by itself. */
export type Deed =
  | { do: 'nothing' }
  | { do: 'record'; visit: string }
  | { do: 'accept' | 'set aside'; visit: string; by: string }
  | { do: 'tick' }
  | { do: 'due' }
  | { do: 'correct'; visit: string; dueBefore: string | null }
  | { do: 'restore'; vehicleId: string }
  | { do: 'confirm rules' | 'confirm lift'; by: string; proposal: Proposal }
  | { do: 'confirm removal'; by: string; of: string; proposal: Proposal }
  | { do: 'time' };

export type Known = {
  now: Date;
  people: ReadonlyMap<string, Somebody>;
  visits: ReadonlyMap<string, Recorded>;
  /** Of each record of the rego: until when it was good when it was removed, and at best. */
  removedAt: ReadonlyMap<string, string>;
  best: ReadonlyMap<string, string>;
  openRules: Proposal | undefined;
  openLift: Proposal | undefined;
};

/** Which rule the step broke; undefined: none. */
export function offence(known: Known, deed: Deed, before: Read, after: Read): string | undefined {
  const decided = wrongDecision(known, deed);
  if (decided !== undefined) return decided;
  if (isLooser(before.rules, after.rules) && !mayLoosen(known, deed))
    return `the rules became looser, version ${after.rules.version}, and two people did not want it`;
  if (after.until <= before.until || mayImprove(known, deed, before, after)) return undefined;
  return `the verdict improved from '${before.until}' to '${after.until}'`;
}

function wrongDecision(known: Known, deed: Deed): string | undefined {
  if (deed.do === 'accept' || deed.do === 'set aside')
    return mayDecide(known, deed.by, deed.visit)
      ? undefined
      : `${deed.do} by somebody who may not decide about the visit`;
  if (deed.do === 'confirm removal')
    return maySecond(known, deed.by, [deed.proposal.by]) ? undefined : 'a removal was confirmed by who may not';
  return undefined;
}

function mayImprove(known: Known, deed: Deed, before: Read, after: Read): boolean {
  const { ruling, until } = after;
  const visit = ruling?.visit === null || ruling === null ? undefined : known.visits.get(ruling.visit);
  const isOf = (id: string) => ruling?.visit === id;
  const isWithin = (most: string | null | undefined) => most !== null && most !== undefined && until <= most;
  const counts = () =>
    visit !== undefined && before.ticked && mayCount(visit, after.rules) && isWithin(visit.dueOn) && isInTime(after);
  const isNewlyTicked = ruling !== null && !before.ticked && after.ticked;
  switch (deed.do) {
    case 'record':
      // One that counts after an admin shortened the list of axles may close an older one: its own stands.
      return (isOf(deed.visit) || ruling?.visit !== before.ruling?.visit) && counts();
    case 'accept':
      // It ticks the record too.
      return isNewlyTicked || (isOf(deed.visit) && isWithin(visit?.dueOn) && isInTime(after, INTERVAL_MAX));
    case 'set aside':
      return !isOf(deed.visit) && visit?.stood === true && before.ticked;
    case 'tick':
      return isNewlyTicked;
    case 'due':
      return ruling !== null && before.ticked && isInTime(after);
    case 'correct': {
      if (!isOf(deed.visit) || visit === undefined || !isInTime(after)) return false;
      // A due date that was missing may be stated late; one that was stated comes no later.
      const isLate = daysFrom(visit.day, known.now) > after.rules.prompt;
      return (
        (visit.stood || mayCount(visit, after.rules)) &&
        (!isLate || deed.dueBefore === null || isWithin(deed.dueBefore))
      );
    }
    case 'restore':
      return isWithin(known.removedAt.get(deed.vehicleId));
    case 'confirm lift':
      return mayConfirm(known, deed.by, deed.proposal) && isWithin(known.best.get(after.vehicleId));
    case 'time':
      return (
        (ruling?.visit !== before.ruling?.visit && counts()) ||
        (isOver(known, known.openLift) && isWithin(known.best.get(after.vehicleId)))
      );
    case 'confirm rules':
    case 'confirm removal':
    case 'nothing':
      return false;
  }
}

// By itself: it fails no check that must be passed, and the rules do not want each one looked at.
const mayCount = ({ faults }: Recorded, { checks, everyVisitWaits }: Rules) =>
  !everyVisitWaits && [...faults].every((check) => checks[check] !== 'must');

const isInTime = ({ ruling, until, rules }: Read, longest = rules.longest) =>
  ruling !== null && until <= addDays(ruling.day, longest);

/**
 * Never anybody who recorded, captured or corrected it; nor who let its technician in. Of an admin's, one of 90 days.
 */
function mayDecide(known: Known, by: string, id: string): boolean {
  const visit = known.visits.get(id);
  if (visit === undefined) return false;
  if (others(known, by).length === 0) return true;
  const parts = [...visit.parts];
  const isLetIn = parts.some((part) => {
    const person = known.people.get(part);
    return person?.addedBy === by && !person.isAdmin && daysBetween(person.addedAt, known.now) < NEW_DAYS;
  });
  if (parts.includes(by) || isLetIn) return false;
  return !parts.some((part) => known.people.get(part)?.isAdmin === true) || maySecond(known, by, parts);
}

const others = ({ people }: Known, by: string): Somebody[] =>
  [...people.values()].filter(({ id, isAdmin, removal }) => isAdmin && id !== by && removal?.stands !== true);

const isOld = ({ now }: Known, { addedAt }: Somebody) => daysBetween(addedAt, now) >= NEW_DAYS;

/** Another admin of 90 days; where there is none, one who had no part; and oneself where nobody else is. */
function maySecond(known: Known, by: string, parts: readonly string[]): boolean {
  const rest = others(known, by);
  const own = known.people.get(by);
  if (rest.length === 0) return true;
  if (own === undefined || parts.includes(by)) return false;
  return isOld(known, own) || !rest.some((other) => !parts.includes(other.id) && isOld(known, other));
}

/** What loosens, or lifts: a new admin, and a single one, wait for the seven days as well. */
function mayConfirm(known: Known, by: string, proposal: Proposal): boolean {
  const own = known.people.get(by);
  const isQuick = own !== undefined && isOld(known, own) && by !== proposal.by && others(known, by).length > 0;
  return isQuick || (maySecond(known, by, [proposal.by]) && daysBetween(proposal.at, known.now) >= NOTICE_DAYS);
}

const isOver = (known: Known, proposal: Proposal | undefined): boolean =>
  proposal !== undefined &&
  others(known, proposal.by).length === 0 &&
  daysBetween(proposal.at, known.now) >= NOTICE_DAYS;

function isLooser(before: Rules, after: Rules): boolean {
  return (
    Object.entries(before.checks).some(([check, rule]) => rule === 'must' && after.checks[check] !== 'must') ||
    (before.everyVisitWaits && !after.everyVisitWaits) ||
    after.longest > before.longest ||
    after.prompt > before.prompt
  );
}

const mayLoosen = (known: Known, deed: Deed): boolean =>
  (deed.do === 'confirm rules' && mayConfirm(known, deed.by, deed.proposal)) ||
  (deed.do === 'time' && isOver(known, known.openRules));

const daysBetween = (from: Date, to: Date): number => Math.floor((to.getTime() - from.getTime()) / DAY_MS);
const daysFrom = (day: string, now: Date): number => daysBetween(new Date(`${day}T00:00:00Z`), now);
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
