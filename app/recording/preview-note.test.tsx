import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import { KeptNote, PreviewNote } from './preview-note.tsx';
import { previewOf } from '#app/visits/visit-outcome.ts';

test('what would wait leads to the axles that it names, and to their as-found readings where those may explain it', () => {
  const preview = previewOf({
    state: 'waits',
    dueOn: null,
    checks: [
      { check: 'agrees', rule: 'must', answer: 'failed', sentence: 'Differs.', numbers: { groups: ['TRAILERA'] } },
      { check: 'plausible', rule: 'must', answer: 'failed', sentence: 'Slip.', numbers: { groups: ['STEER'] } },
    ],
  });
  const html = renderToString(<PreviewNote preview={preview} isOpen />);
  expect([...html.matchAll(/<a href="#([^"]*)"[^>]*>([^<]*)/g)].map(([, id, words]) => [id, words])).toEqual([
    ['axle-STEER', 'Go to Steer'],
    ['as-found-TRAILERA', 'Add as found of Trailer A'],
    ['axle-TRAILERA', 'Go to Trailer A'],
  ]);
});

test('a visit that is typed on a phone is kept there, and says so', () => {
  const textOf = (hasSignal: boolean) => renderToString(<KeptNote hasSignal={hasSignal} />).replaceAll(/<[^>]*>/g, '');
  expect(textOf(false)).toBe('Kept on this phone: no signal');
  expect(textOf(true)).toBe('Kept on this phone: sent once saved');
});
