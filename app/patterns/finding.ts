// A finding: the reason that a pattern gives to look at somebody's visits. It says nothing about a person, and moves no
// verdict.

export const FINDING_STATES = [
  { state: 'open', label: 'To look at' },
  { state: 'asked', label: 'Technician asked' },
  { state: 'decided', label: 'Decided' },
] as const;
export type ListedFindings = (typeof FINDING_STATES)[number]['state'];

/** `acts`: something is done about it, so the technician is asked first. */
export const OUTCOMES = [
  { outcome: 'explained', words: 'Explained', acts: false },
  { outcome: 'watch', words: 'Watch', acts: false },
  { outcome: 'check-visit', words: 'Check visit asked for', acts: true },
  { outcome: 'suspend', words: 'Technician suspended', acts: true },
  { outcome: 'set-aside', words: 'Visits set aside', acts: true },
  { outcome: 'recall', words: 'Weighbridge withdrawn', acts: true },
] as const;
export type Outcome = (typeof OUTCOMES)[number]['outcome'];

export const outcomeOf = (text: string): (typeof OUTCOMES)[number] | undefined =>
  OUTCOMES.find(({ outcome }) => outcome === text);

/** Why an admin may not decide about a finding while another could. */
export const CONCERNED = {
  'own-visits': 'They are your visits, or you recorded one of them. Another administrator decides.',
  'accepted-by-you': 'You accepted one of these visits. Another administrator decides.',
  'admitted-by-you': 'You admitted this technician less than 90 days ago. Another administrator decides.',
} as const;
export type Concerned = keyof typeof CONCERNED;

/** The longest answer, and reason of a decision, in characters. */
export const WORDS_MAX = 1000;

/** An answer is waited for so many days. */
export const ANSWER_DAYS = 14;

/** What may be decided now. `asked`: days since the technician was asked; undefined: not yet; null: nobody to ask. */
export const mayAct = ({
  askedDays,
  isAnswered,
}: {
  askedDays: number | null | undefined;
  isAnswered: boolean;
}): boolean => isAnswered || askedDays === null || (askedDays !== undefined && askedDays >= ANSWER_DAYS);
