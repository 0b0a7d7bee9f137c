// What people are told by email: a row for each topic. From it follow the page of choices, the digest and its job;
// find-items.server.ts has the statement that finds its items.

export const PACES = [
  { pace: 'once', label: 'At once' },
  { pace: 'six', label: 'At six' },
  { pace: 'never', label: 'Never' },
] as const;
export type Pace = (typeof PACES)[number]['pace'];

type Row = {
  topic: string;
  of: readonly ('admin' | 'technician')[];
  title: string;
  hint?: string;
  /** Those that may be chosen; without 'never' it cannot be turned off. */
  paces: readonly Pace[];
  usual: Pace;
  /** In the digest, behind how many. */
  one: string;
  many: string;
  list: string;
};

const ANY = ['once', 'six', 'never'] as const;
const MUST = ['once', 'six'] as const;
const ADMINS = ['admin'] as const;
const RECORDERS = ['admin', 'technician'] as const;

export const TOPICS = [
  {
    topic: 'visits',
    of: ADMINS,
    title: 'Visits that wait',
    paces: ANY,
    usual: 'once',
    one: 'visit waits',
    many: 'visits wait',
    list: '/visits',
  },
  {
    topic: 'applications',
    of: ADMINS,
    title: 'Applications',
    paces: ANY,
    usual: 'once',
    one: 'application',
    many: 'applications',
    list: '/applications',
  },
  {
    topic: 'confirmations',
    of: ADMINS,
    title: 'What needs a second admin',
    hint: 'This one cannot be stopped: every administrator hears it.',
    paces: MUST,
    // What was proposed is mailed to everybody at once (people/letters).
    usual: 'six',
    one: 'proposal needs a second admin',
    many: 'proposals need a second admin',
    list: '/dashboard',
  },
  {
    topic: 'patterns',
    of: ADMINS,
    title: 'Patterns',
    paces: ANY,
    usual: 'six',
    one: 'pattern to look at',
    many: 'patterns to look at',
    list: '/patterns',
  },
  {
    topic: 'mails',
    of: ADMINS,
    title: 'Mails that failed',
    paces: ANY,
    usual: 'once',
    one: 'mail failed',
    many: 'mails failed',
    list: '/settings',
  },
  {
    topic: 'jobs',
    of: ADMINS,
    title: 'Jobs that failed',
    paces: ANY,
    usual: 'once',
    one: 'job failed',
    many: 'jobs failed',
    list: '/settings/jobs',
  },
  {
    topic: 'decided',
    of: RECORDERS,
    title: 'A visit of mine was decided',
    paces: ANY,
    usual: 'once',
    one: 'visit of yours was decided',
    many: 'visits of yours were decided',
    list: '/my-visits',
  },
  {
    topic: 'answers',
    of: RECORDERS,
    title: 'An answer is wanted from me',
    hint: 'This one cannot be stopped.',
    paces: MUST,
    usual: 'once',
    one: 'answer is wanted from you',
    many: 'answers are wanted from you',
    list: '/my-patterns',
  },
  {
    topic: 'due',
    of: ['technician'],
    title: 'My trucks that are due',
    hint: '30 and 14 days before. A truck that the mail of Monday has named is not told again.',
    // A truck becomes due at midnight: nobody is woken for it.
    paces: ['six', 'never'],
    usual: 'six',
    one: 'truck of yours is due',
    many: 'trucks of yours are due',
    list: '/vehicles',
  },
] as const satisfies readonly Row[];
export type Topic = (typeof TOPICS)[number]['topic'];

const ROWS: readonly (Row & { topic: Topic })[] = TOPICS;

/** The topics of a role: none of an auditor. */
export const topicsFor = (role: string) => ROWS.filter(({ of }) => of.some((one) => one === role));
export const STOPPABLE = ROWS.filter(({ paces }) => paces.includes('never'));
