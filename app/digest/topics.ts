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
  /** In the digest, behind one and behind more. */
  counts: readonly [string, string];
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
    counts: ['visit waits', 'visits wait'],
    list: '/visits',
  },
  {
    topic: 'applications',
    of: ADMINS,
    title: 'Applications',
    paces: ANY,
    usual: 'once',
    counts: ['application', 'applications'],
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
    counts: ['proposal needs a second admin', 'proposals need a second admin'],
    list: '/dashboard',
  },
  {
    topic: 'patterns',
    of: ADMINS,
    title: 'Patterns',
    paces: ANY,
    usual: 'six',
    counts: ['pattern to look at', 'patterns to look at'],
    list: '/patterns',
  },
  {
    topic: 'mails',
    of: ADMINS,
    title: 'Mails that failed',
    paces: ANY,
    usual: 'once',
    counts: ['mail failed', 'mails failed'],
    list: '/settings',
  },
  {
    topic: 'jobs',
    of: ADMINS,
    title: 'Jobs that failed',
    paces: ANY,
    usual: 'once',
    counts: ['job failed', 'jobs failed'],
    list: '/settings/jobs',
  },
  {
    topic: 'decided',
    of: RECORDERS,
    title: 'A visit of mine was decided',
    paces: ANY,
    usual: 'once',
    counts: ['visit of yours was decided', 'visits of yours were decided'],
    list: '/my-visits',
  },
  {
    topic: 'answers',
    of: RECORDERS,
    title: 'An answer is wanted from me',
    hint: 'This one cannot be stopped.',
    paces: MUST,
    usual: 'once',
    counts: ['answer is wanted from you', 'answers are wanted from you'],
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
    counts: ['truck of yours is due', 'trucks of yours are due'],
    list: '/vehicles',
  },
] as const satisfies readonly Row[];
export type Topic = (typeof TOPICS)[number]['topic'];

const ROWS: readonly (Row & { topic: Topic })[] = TOPICS;

/** The topics of a role: none of an auditor. */
export const topicsFor = (role: string) => ROWS.filter(({ of }) => of.some((one) => one === role));
export const STOPPABLE = ROWS.filter(({ paces }) => paces.includes('never'));
