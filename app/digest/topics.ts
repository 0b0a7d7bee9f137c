// What people are told by email. From these tables follow the page of choices, the digest and its job; the statement
// that finds the items of a topic stands in find-items.server.ts.
import { counted } from '#app/ui/counted.ts';

export const PACES = [
  { value: 'once', label: 'At once' },
  { value: 'six', label: 'At six' },
  { value: 'monday', label: 'Yes' },
  { value: 'never', label: 'Never' },
] as const;
export type Pace = (typeof PACES)[number]['value'];

const OF_OFFICE = ['visits', 'reports', 'applications', 'confirmations', 'patterns', 'mails', 'jobs'] as const;
const NAMES = [...OF_OFFICE, 'decided', 'answers', 'due', 'weekly'] as const;
export type Topic = (typeof NAMES)[number];

/** `paces`: that may be chosen; without 'never' it cannot be turned off. `list`: where all of it is. */
type Rule = { of: readonly string[]; paces: readonly Pace[]; usual: Pace; list: string };

const ANY = ['once', 'six', 'never'] as const;
const MUST = ['once', 'six'] as const;
const ADMINS = ['admin'];
const RECORDERS = ['admin', 'technician'];
const RULES: Readonly<Record<Topic, Rule>> = {
  visits: { of: ADMINS, paces: ANY, usual: 'once', list: '/visits' },
  reports: { of: ADMINS, paces: ANY, usual: 'once', list: '/reports' },
  applications: { of: ADMINS, paces: ANY, usual: 'once', list: '/applications' },
  // What was proposed is mailed to everybody at once (people/letters).
  confirmations: { of: ADMINS, paces: MUST, usual: 'six', list: '/dashboard' },
  patterns: { of: ADMINS, paces: ANY, usual: 'six', list: '/patterns' },
  mails: { of: ADMINS, paces: ANY, usual: 'once', list: '/settings' },
  jobs: { of: ADMINS, paces: ANY, usual: 'once', list: '/settings/jobs' },
  decided: { of: RECORDERS, paces: ANY, usual: 'once', list: '/my-visits' },
  answers: { of: RECORDERS, paces: MUST, usual: 'once', list: '/my-patterns' },
  // A truck becomes due at midnight: nobody is woken for it.
  due: { of: ['technician'], paces: ['six', 'never'], usual: 'six', list: '/vehicles' },
  // In no digest, but in a mail of its own (weekly-mail.server.ts).
  weekly: { of: ['technician'], paces: ['monday', 'never'], usual: 'monday', list: '/vehicles' },
};

/** `counts`: behind one, and behind more. */
type Words = { title: string; counts: readonly [string, string]; hint?: string };

const WORDS: Readonly<Record<Topic, Words>> = {
  visits: { title: 'Visits that wait', counts: ['visit waits', 'visits wait'] },
  reports: { title: 'Reports of wrong records', counts: ['report waits', 'reports wait'] },
  applications: { title: 'Applications', counts: ['application', 'applications'] },
  confirmations: {
    title: 'What needs a second admin',
    counts: ['proposal needs a second admin', 'proposals need a second admin'],
    hint: 'This one cannot be stopped: every administrator hears it.',
  },
  patterns: { title: 'Patterns', counts: ['pattern to look at', 'patterns to look at'] },
  mails: { title: 'Mails that failed', counts: ['mail failed', 'mails failed'] },
  jobs: { title: 'Jobs that failed', counts: ['job failed', 'jobs failed'] },
  decided: {
    title: 'A visit of mine was decided',
    counts: ['visit of yours was decided', 'visits of yours were decided'],
  },
  answers: {
    title: 'An answer is wanted from me',
    counts: ['answer is wanted from you', 'answers are wanted from you'],
    hint: 'This one cannot be stopped.',
  },
  due: {
    title: 'My trucks that are due',
    counts: ['truck of yours is due', 'trucks of yours are due'],
    hint: '30 and 14 days before. A truck that the mail of Monday has named is not told again.',
  },
  weekly: {
    title: 'My trucks, each Monday',
    counts: ['truck of yours due', 'trucks of yours due'],
    hint: 'One list of those that are due soon or overdue. None is sent when none is.',
  },
};

export const TOPICS = NAMES.map((topic) => ({ topic, ...RULES[topic], ...WORDS[topic] }));
/** '1 visit waits', '2,300 visits wait'. */
export const countOf = (topic: Topic, count: number): string => counted(count, ...WORDS[topic].counts);
/** None of an auditor. */
export const topicsFor = (role: string) => TOPICS.filter(({ of }) => of.includes(role));
export const STOPPABLE = TOPICS.filter(({ paces }) => paces.includes('never'));
