// The change of a count, as the dashboard's widgets show it.

/** `words`: for screen readers. `text`: visible. */
export type Change = { direction: 'up' | 'down' | 'none'; text: string; words: string };

// Below this, the change is shown as a number: one more than four, shown as 25%, would mislead.
const SMALL_BASE = 20;

/** The change from `before` to `now`: in whole percent, from a small number as a number, from 0 as a dash. */
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
