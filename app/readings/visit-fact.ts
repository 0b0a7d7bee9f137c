// What is said of a whole visit beside its readings, a row each: the form's schema, the insert, the columns that are
// read, the words for everybody and for the office, CSV, API and report follow from it. A new fact is a row here, its
// column (a migration, database/tables.ts) and its box in recording/set-form.tsx.
import { sealReason } from './seals.ts';
import { trailersWords } from './visit-trailers.ts';
import { weighingsWords } from './weighings.ts';
import { groupsWords } from '#app/vehicles/axle.ts';

export const LIFT_AXLES = { none: 'no lift axle', raised: 'lift axle raised', lowered: 'lift axle lowered' } as const;
type LiftAxle = keyof typeof LIFT_AXLES;
export const LIFT_AXLE_POSITIONS = ['none', 'raised', 'lowered'] as const satisfies readonly LiftAxle[];
const isLiftAxle = (text: string): text is LiftAxle => text in LIFT_AXLES;

/**
 * `field`: its name in the form and in the API. `kind`: how its text is read. `words`: of a text that is not empty, in
 * the middle of a sentence. `shown`: what the office's page of the visit calls it, and says where it is not given.
 * `isStandard`: it is what the report calls the reference standard.
 */
type VisitFactRow = {
  field: string;
  column: string;
  kind: 'line' | 'choice' | 'axle groups' | 'trailers' | 'weighings';
  maxLength?: number;
  /** Of a line that is one of a few words. */
  oneOf?: readonly ['', ...string[]];
  label: string;
  words: (text: string) => string;
  shown: { label: string; none?: string };
  isStandard?: true;
};

export const VISIT_FACTS = [
  {
    field: 'weighbridge',
    column: 'weighbridge',
    kind: 'line',
    maxLength: 200,
    label: 'Weighbridge',
    words: (text: string) => `weighed at ${text}`,
    shown: { label: 'Weighed at', none: 'None named' },
    isStandard: true,
  },
  {
    field: 'ticket_number',
    column: 'ticketNumber',
    kind: 'line',
    maxLength: 60,
    label: 'Ticket',
    words: (text: string) => `ticket ${text}`,
    shown: { label: 'Ticket', none: 'None' },
    isStandard: true,
  },
  {
    field: 'lift_axle',
    column: 'liftAxle',
    kind: 'choice',
    label: 'Lift axle',
    words: (text: string) => (isLiftAxle(text) ? LIFT_AXLES[text] : text),
    shown: { label: 'Lift axle' },
  },
  {
    field: 'not_behind',
    column: 'notBehind',
    kind: 'axle groups',
    label: 'Not behind the truck',
    words: (text: string) => `${groupsWords(text)} not behind the truck`,
    shown: { label: 'Not behind' },
  },
  {
    field: 'trailers',
    column: 'trailers',
    kind: 'trailers',
    label: 'Trailers',
    words: trailersWords,
    shown: { label: 'Trailers' },
  },
  {
    field: 'weighings',
    column: 'weighings',
    kind: 'weighings',
    label: 'Weighings',
    words: weighingsWords,
    shown: { label: 'Weighings' },
    isStandard: true,
  },
  {
    field: 'firmware',
    column: 'firmware',
    kind: 'line',
    maxLength: 60,
    label: 'Firmware read',
    words: (text: string) => `firmware ${text}`,
    shown: { label: 'Firmware read' },
  },
  {
    field: 'settings_locked',
    column: 'settingsLocked',
    kind: 'line',
    maxLength: 3,
    oneOf: ['', 'yes', 'no'],
    label: 'Settings locked',
    words: (text: string) => `settings ${text === 'yes' ? '' : 'not '}locked`,
    shown: { label: 'Settings locked' },
  },
  {
    field: 'seals_found',
    column: 'sealsFound',
    kind: 'line',
    maxLength: 200,
    label: 'Seals found',
    words: (text: string) => `seals found: ${text}`,
    shown: { label: 'Seals found' },
  },
  {
    field: 'seals_left',
    column: 'sealsLeft',
    kind: 'line',
    maxLength: 200,
    label: 'Seals left',
    words: (text: string) => `seals left: ${text}`,
    shown: { label: 'Seals left' },
  },
  {
    field: 'seals_reason',
    column: 'sealsReason',
    kind: 'line',
    maxLength: 8,
    oneOf: ['', 'replaced', 'broken', 'misread'],
    label: 'Why a seal changed',
    words: sealReason,
    shown: { label: 'Why a seal changed' },
  },
] as const satisfies readonly VisitFactRow[];

export type VisitFact = (typeof VISIT_FACTS)[number];
type LineFact = Extract<VisitFact, { kind: 'line' }>;
type ChoiceFact = Extract<VisitFact, { kind: 'choice' }>;
/** What the form's grid says. */
type GroupsFact = Extract<VisitFact, { kind: 'axle groups' | 'trailers' | 'weighings' }>;
/** A function for each kind of fact. */
type ByKind<Line, Choice, Groups> = {
  line: (fact: LineFact) => Line;
  choice: (fact: ChoiceFact) => Choice;
  groups: (fact: GroupsFact) => Groups;
};
type PerFact<Key extends 'field' | 'column', Line, Choice, Groups> = {
  [One in VisitFact as One[Key]]: One extends LineFact ? Line : One['kind'] extends 'choice' ? Choice : Groups;
};
/** The facts of a recorded visit by column; '' or null: not given. */
export type VisitFactColumns = PerFact<'column', string, '' | LiftAxle, string | null>;

/** An object with the result of `of` for each fact, keyed by field or column. */
export function perFact<Key extends 'field' | 'column', Line, Choice, Groups>(
  key: Key,
  of: ByKind<Line, Choice, Groups>,
): PerFact<Key, Line, Choice, Groups>;
export function perFact(key: 'field' | 'column', { line, choice, groups }: ByKind<unknown, unknown, unknown>) {
  const make = (fact: VisitFact) => {
    if (fact.kind === 'line') return line(fact);
    return fact.kind === 'choice' ? choice(fact) : groups(fact);
  };
  return Object.fromEntries(VISIT_FACTS.map((fact) => [fact[key], make(fact)]));
}

/** The fields of a visit of which nothing is said. */
export const NO_FACTS = perFact('field', { line: () => '', choice: () => '' as const, groups: () => '' });

/** The same facts from an object of fields to one of columns; groups that are not given are null. */
export const factColumns = (input: PerFact<'field', string, '' | LiftAxle, string>): VisitFactColumns =>
  perFact('column', {
    line: ({ field }) => input[field],
    choice: ({ field }) => input[field],
    groups: ({ field }) => (input[field] === '' ? null : input[field]),
  });

/** A fact's text as everybody reads it in a table: what was entered, or the groups by their names. */
export function factText({ kind }: VisitFact, text: string): string {
  if (kind === 'trailers') return trailersWords(text);
  if (kind === 'weighings') return weighingsWords(text);
  return kind === 'axle groups' ? groupsWords(text) : text;
}

/** What was said of the visit, in words to be joined. `facts`: those of the list that are wanted. */
export const factWords = (set: VisitFactColumns, facts: readonly VisitFact[] = VISIT_FACTS): string[] =>
  facts.flatMap((fact) => {
    const text = set[fact.column] ?? '';
    return text === '' ? [] : [fact.words(text)];
  });
