// The news of a follower's mail in words, as they were when it was looked.
import type { Tx } from '#app/platform/database/database.server.ts';
import { formatDay } from '#app/platform/time/calendar.ts';
import { counted } from '#app/ui/counted.ts';
import type { ToldTruck } from '#database/follower-tables.ts';
import { dueCause } from './due-cause.server.ts';
import type { News } from './followed-trucks.server.ts';
import { KEPT_AFTER_REMOVAL_DAYS } from './follower.ts';
import type { FollowedState } from './judge-followed.server.ts';

/** So many lines of a kind are in a mail. The list's page and its CSV have all. */
const LINES_IN_MAIL = 100;

/** `text`: paragraphs of lines. */
export type NewsWords = { subject: string; text: string };

/** The news of a list. */
export function listWords({ changed, due }: News, { list, asAt }: { list: string; asAt: string }): NewsWords {
  const count = (list: readonly unknown[], what: string) =>
    list.length === 0 ? [] : `${list.length.toLocaleString('en-AU')} ${what}`;
  const dueIn = (days: number) =>
    due.filter((one) => one.days === days).map(({ name, dueOn }) => `${name}: due on ${formatDay(dueOn)}`);
  const paragraphs = [
    `You follow a list of ${counted(list.split('\n').length, 'truck', 'trucks')}. This is what is new as at ${asAt}.`,
    ...paragraph(
      'What has changed:',
      changed.map(({ name, before, now }) => `${name}: ${inWords(now)} (before: ${inWords(before)})`),
    ),
    ...paragraph('Due within 14 days:', dueIn(14)),
    ...paragraph('Due within 30 days:', dueIn(30)),
  ];
  const subject = [count(changed, 'changed'), count(due, 'soon due')].flat().join(', ');
  return { subject: `Your list: ${subject}`, text: paragraphs.join('\n\n') };
}

const inWords = ({ state, dueOn }: ToldTruck): string =>
  `${state}${dueOn === null ? '' : `, due on ${formatDay(dueOn)}`}`;

function paragraph(heading: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const more = lines.length - LINES_IN_MAIL;
  const last = more > 0 ? [`and ${more.toLocaleString('en-AU')} more`] : [];
  return [[heading, ...lines.slice(0, LINES_IN_MAIL), ...last].join('\n')];
}

/** The news of the vehicle with `id`, which is `followed`. */
export async function truckWords(
  tx: Tx,
  { changed }: News,
  { id, followed, asAt }: { id: string; followed: FollowedState; asAt: string },
): Promise<NewsWords> {
  const { rego, state, sentence, policy } = followed;
  const isRemoved = state === 'removed';
  const hasCause = changed.length > 0 && !isRemoved && state !== 'no-match';
  const [subject, first] = tidings(followed, changed[0]);
  const paragraphs = [
    first,
    isRemoved
      ? `${sentence} If it is restored within ${KEPT_AFTER_REMOVAL_DAYS} days, we will email you. After that we delete your address.`
      : sentence,
    hasCause ? await dueCause(tx, id) : '',
    `As at ${asAt}, rules version ${policy.version}. See the current verdict:`,
  ];
  return { subject: `${rego}: ${subject}`, text: paragraphs.filter((words) => words !== '').join('\n\n') };
}

// The end of the subject, and the first sentence.
function tidings({ rego, word }: FollowedState, change: News['changed'][number] | undefined): [string, string] {
  if (change === undefined)
    return ['calibration due', `The scale calibration of ${rego} is due. The verdict is: ${word}.`];
  if (change.before.state !== change.now.state)
    return [word, `The verdict on the scale calibration of ${rego} has changed to: ${word}.`];
  return ['due date changed', `The due date of the scale calibration of ${rego} has changed. The verdict is: ${word}.`];
}
