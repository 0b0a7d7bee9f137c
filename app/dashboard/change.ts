// How much a count has changed, as the dashboard's widgets say it.

/** `words` are read aloud; `text` is seen. */
export type Change = { direction: 'up' | 'down' | 'none'; text: string; words: string };

// Of fewer, a percentage says more than there is: one more of four is no 25% growth.
const SMALL_BASE = 20;

/** The change from `before` to `now`: in whole percent, of a few as a number. There is none of nothing: then it is a dash. */
export function changeOf({ now, before }: { now: number; before: number }): Change {
  if (before === 0) return { direction: 'none', text: '–', words: 'No earlier figure' };
  if (now === before) return { direction: 'none', text: 'No change', words: 'No change' };
  if (before < SMALL_BASE) return changeOfFew(now - before);
  const share = (Math.abs(now - before) / before) * 100;
  const text = share < 0.5 ? '<1%' : `${Math.round(share).toLocaleString('en-AU')}%`;
  return now > before
    ? { direction: 'up', text, words: `up ${share < 0.5 ? 'less than 1%' : text}` }
    : { direction: 'down', text, words: `down ${share < 0.5 ? 'less than 1%' : text}` };
}

function changeOfFew(difference: number): Change {
  const count = Math.abs(difference).toLocaleString('en-AU');
  return difference > 0
    ? { direction: 'up', text: `+${count}`, words: `up by ${count}` }
    : { direction: 'down', text: `−${count}`, words: `down by ${count}` };
}
