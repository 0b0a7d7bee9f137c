import { expect, test } from 'vitest';
import { keepTheirs, mergeEdits } from './merge-edits.ts';

const FIELDS = ['make', 'model', 'notes'] as const;
const opened = { make: 'Volvo', model: 'FH', notes: '' };

test.each([
  ['nobody changed anything', opened, opened, [], []],
  ['only I changed', { ...opened, make: 'Scania' }, opened, [], []],
  ['only they changed', opened, { ...opened, model: 'FM' }, ['model'], []],
  ['they emptied it', opened, { ...opened, make: '' }, ['make'], []],
  ['both, to something else', { ...opened, make: 'Scania' }, { ...opened, make: 'Mack' }, [], ['make']],
  ['both, to the same', { ...opened, make: 'Mack' }, { ...opened, make: 'Mack' }, [], []],
])('%s', (_, typed, now, taken, disputed) => {
  expect(mergeEdits(FIELDS, { opened, typed, now })).toEqual({ taken, disputed });
});

test('where what was opened is unknown, each difference is disputed', () => {
  const now = { ...opened, make: 'Mack' };
  expect(mergeEdits(FIELDS, { opened: {}, typed: opened, now })).toEqual({ taken: [], disputed: ['make'] });
});

test('kept as theirs, a field is what the form was opened with; one that was not opened stays as typed', () => {
  const fields = new Map([
    ['make', 'Scania'],
    ['opened_make', 'Mack'],
    ['model', 'FH'],
  ]);
  expect(keepTheirs(fields, ['make', 'model', 'nothing'])).toEqual(['make']);
  expect([fields.get('make'), fields.get('model'), fields.has('nothing')]).toEqual(['Mack', 'FH', false]);
});
