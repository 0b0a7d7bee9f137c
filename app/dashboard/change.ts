// The change of a count, as the dashboard's widgets show it.

/** `words`: for screen readers. `text`: visible. */
export type Change = { direction: 'up' | 'down' | 'none'; text: string; words: string };

// Below this, the change is shown as a number: one more than four, shown as 25%, would mislead.
const SMALL_BASE = 20;

/** The change from `before` to `now`: in whole percent, from a small number as a number, from 0 as a dash. */
export function changeOf({ now, before }: { now: number; before: number }): Change {
  if (before === 0) return { direction: 'none', text: '–', words: 'No earlier figure' };
  if (now === before) return { direction: 'none', text: 'No change', words: 'No change' };
  const direction = now > before ? 'up' : 'down';
  const difference = Math.abs(now - before);
  if (before < SMALL_BASE) {
    const count = difference.toLocaleString('en-AU');
    return { direction, text: `${direction === 'up' ? '+' : '−'}${count}`, words: `${direction} by ${count}` };
  }
  const share = (difference / before) * 100;
  if (share < 0.5) return { direction, text: '<1%', words: `${direction} less than 1%` };
  const text = `${Math.round(share).toLocaleString('en-AU')}%`;
  return { direction, text, words: `${direction} ${text}` };
}
