// Random combinations against a small model: whose visit the word of each unit may rest on, and the word for all.
import { expect, test } from 'vitest';
import type { LineAnswer } from '#app/check-list/line-answer.ts';
import { trailersText, type NamedTrailer } from '#app/readings/visit-trailers.ts';
import { VERDICTS, type Verdict } from '#app/vehicles/verdict-table.ts';
import { randomFrom, type Random } from '#test/random.ts';
import { judgeUnits, linesNotHeld, worstOf, type AskedUnit, type Word } from './combination.ts';
import { notHeldWords, sentenceOf } from './combination-words.ts';

const TODAY = '2026-12-01';
const MOMENT = { today: TODAY, dayOf: () => TODAY };
const DUE: Record<Verdict, string | null> = {
  valid: '2027-05-29',
  'due-soon': '2026-12-19',
  overdue: '2026-11-14',
  'not-validated': null,
  'never-calibrated': null,
};

type Of = { verdict?: Verdict; kind?: string; scaleUnit?: string; names?: NamedTrailer[]; matchesLog?: boolean };
function unit(rego: string, of: Of = {}): AskedUnit {
  const { verdict = 'valid', kind = 'trailer', scaleUnit = '', names = [], matchesLog = true } = of;
  const answer: LineAnswer = {
    number: 1,
    asked: rego,
    kind: 'found',
    rego,
    verdict,
    matchesLog,
    dueOn: DUE[verdict],
    restsOn: 'Calibrations are recorded, but not validated',
    byVin: false,
    sameAs: null,
  };
  return { rego, answer, record: { kind, scaleUnit, trailers: trailersText(names) } };
}
const truck = (rego: string, of: Of = {}) => unit(rego, { kind: '', ...of });
const unknown = (rego: string, removedAt: Date | null = null): AskedUnit => ({
  rego,
  answer: { number: 1, asked: rego, kind: 'not-found', near: [], removedAt },
  record: null,
});
const wordsOf = (units: readonly AskedUnit[]) => judgeUnits(units).map(({ word }) => word);
const sentence = (...units: AskedUnit[]) => sentenceOf(judgeUnits(units), MOMENT);

test('the sentence names the worst', () => {
  expect(sentence(truck('XV12DE'), unit('T12345'), unit('T67890', { verdict: 'overdue' }))).toBe(
    'Not valid today. Trailer T67890 was due on 14 November 2026, 17 days ago.',
  );
  expect(sentence(truck('XV12DE'), unit('T12345'), unit('T40118'))).toBe(
    'All 3 units are valid today. The first is due on 29 May 2027, in 179 days.',
  );
  expect(sentence(truck('XV12DE'), unit('T12345'), unknown('T99120'))).toBe(
    'T99120 is not in this registry, so nothing can be said of all 3.',
  );
  expect(sentence(truck('472XKM', { verdict: 'due-soon' }), unit('T12345'))).toBe(
    'Valid today. Truck 472XKM is due on 19 December 2026, in 18 days.',
  );
  expect(sentence(truck('XV12DE', { verdict: 'never-calibrated' }))).toBe(
    'Not valid today. No calibration has been recorded for truck XV12DE.',
  );
  expect(sentence(truck('XV12DE'), unit('T1', { verdict: 'not-validated' }))).toBe(
    'Not valid today. Trailer T1: calibrations are recorded, but not validated.',
  );
  expect(sentence(truck('XV12DE'), unit('T12345', { scaleUnit: 'truck' }))).toBe(
    'T12345 has no unit of its own, and XV12DE’s last visit does not name it, so nothing can be said of all 2.',
  );
  expect(sentence(truck('XV12DE', { matchesLog: false }))).toBe(
    'What is stored of truck XV12DE is not what was logged.',
  );
});

test('a trailer without a unit takes the verdict of the truck that names it, and of no other', () => {
  const names: NamedTrailer[] = [
    { group: 'TRAILERA', rego: 'T1' },
    { group: null, rego: 'T2' },
  ];
  const named = truck('XV12DE', { verdict: 'due-soon', names });
  expect(judgeUnits([named, unknown('T1'), unknown('T2')])).toMatchObject([
    { word: 'due-soon', readBy: null },
    { word: 'due-soon', readBy: 'XV12DE', dueOn: '2026-12-19' },
    { word: 'no-answer', readBy: null },
  ]);
  // Its own visits, its own verdict; what was removed, and what is not as logged, has none.
  const own = unit('T1', { verdict: 'overdue' });
  expect(wordsOf([named, own])).toEqual(['due-soon', 'overdue']);
  expect(wordsOf([named, unknown('T1', new Date())])).toEqual(['due-soon', 'no-answer']);
  expect(wordsOf([named, unit('T1', { scaleUnit: 'truck', matchesLog: false })])).toEqual(['due-soon', 'no-answer']);
  expect(wordsOf([truck('YD20AB', { verdict: 'valid' }), unknown('T1')])).toEqual(['valid', 'no-answer']);
});

test('another trailer in the place of the one that a line was taken with', () => {
  const names: NamedTrailer[] = [{ group: 'TRAILERA', rego: 'T30077' }];
  const words = (...units: AskedUnit[]) => notHeldWords(linesNotHeld(units));
  expect(words(truck('472XKM', { names }), unit('T12345'))).toEqual({
    lead: 'One line does not hold here.',
    rest: 'Trailer A of 472XKM was taken with T30077, not with T12345.',
  });
  expect(words(truck('472XKM', { names }), unknown('T30077'))).toBeNull();
  expect(words(truck('472XKM', { names }))).toBeNull();
  const two: NamedTrailer[] = [...names, { group: 'TRAILERB', rego: 'T2' }];
  expect(words(truck('472XKM', { names: two }), unit('T30077'), unit('T12345'))?.rest).toBe(
    'Trailer B of 472XKM was taken with T2, not with T12345.',
  );
  expect(words(truck('472XKM', { names: two }), unit('T3'), unit('T4'))?.lead).toBe('2 lines do not hold here.');
});

const ORDER: Word[] = ['overdue', 'never-calibrated', 'not-validated', 'no-answer', 'due-soon', 'valid'];
const REGOS = ['T1', 'T2', 'T3', 'T4'];
const pick = <T>(random: Random, all: readonly T[]): T => {
  const one = all[random(all.length)];
  if (one === undefined) throw new Error('nothing to pick');
  return one;
};

function randomCombination(random: Random): AskedUnit[] {
  const verdict = () => pick(random, VERDICTS).verdict;
  const matchesLog = () => random(5) > 0;
  const names = () =>
    REGOS.filter(() => random(2) === 0).map((rego, place): NamedTrailer => {
      const group = place % 2 === 0 ? 'TRAILERA' : 'TRAILERB';
      return { group: random(3) === 0 ? null : group, rego };
    });
  const trucks = ['A1', 'A2'].slice(0, random(3));
  const trailers = REGOS.slice(0, 1 + random(4)).map((rego) => {
    if (random(3) === 0) return unknown(rego, random(4) === 0 ? new Date(0) : null);
    const scaleUnit = random(2) === 0 ? 'truck' : '';
    return unit(rego, { verdict: verdict(), scaleUnit, matchesLog: matchesLog(), names: names() });
  });
  const made = trucks.map((rego) =>
    truck(rego, {
      verdict: verdict(),
      names: names(),
      matchesLog: matchesLog(),
      scaleUnit: random(9) === 0 ? 'truck' : '',
    }),
  );
  return [...made, ...trailers];
}

// The model: whose visits a unit's word may rest on, in the words of the rule.
function restsOnOf(one: AskedUnit, all: readonly AskedUnit[]): AskedUnit[] {
  const { answer, record } = one;
  const hasOwn = answer.kind === 'found' && !(record?.scaleUnit === 'truck' && record.kind !== '');
  if (hasOwn || (answer.kind === 'found' && !answer.matchesLog)) return [one];
  if (answer.kind === 'not-found' && answer.removedAt !== null) return [];
  return all.filter(
    (other) => other.record?.kind === '' && new RegExp(`TRAILER[AB] ${one.rego}(;|$)`).test(other.record.trailers),
  );
}
const own = ({ answer }: AskedUnit): Word =>
  answer.kind === 'found' && answer.matchesLog ? answer.verdict : 'no-answer';
const worst = (words: readonly Word[]): Word => ORDER.find((word) => words.includes(word)) ?? 'no-answer';

test('no word rests on the visit of another unit, but where the truck reads the trailer', () => {
  const random = randomFrom(20_261_201);
  const seen = new Set<string>();
  for (let nth = 0; nth < 3000; nth += 1) {
    const units = randomCombination(random);
    const judged = judgeUnits(units);
    for (const [place, one] of units.entries()) {
      const ground = restsOnOf(one, units);
      const said = judged[place];
      expect([nth, one.rego, said?.word]).toEqual([nth, one.rego, worst(ground.map(own))]);
      expect(said?.readBy ?? one.rego).toSatisfy((rego: string) =>
        ground.length === 0 ? rego === one.rego : ground.some((other) => other.rego === rego),
      );
      if (said?.readBy !== null) seen.add(said?.word ?? '');
      // Without it, nothing else changes.
      const others = units.filter((other) => other === one || ground.includes(other));
      expect(judgeUnits(others).find(({ rego }) => rego === one.rego)?.word).toBe(said?.word);
    }
    const word = worstOf(judged)?.word;
    expect(word).toBe(worst(judged.map((said) => said.word)));
    expect(sentenceOf(judged, MOMENT)).toMatch(
      word === 'valid' || word === 'due-soon' ? /valid today|^Valid today/ : /^Not valid today|, so nothing|\w\.$/,
    );
  }
  expect(seen.size).toBe(ORDER.length);
});
