// What others' lines say of a technician, and what it does not say where the others disagree with everybody.
import { expect, test } from 'vitest';
import { axleOf, DAY_MS, START, visitOf } from '#test/registries/a-visit.ts';
import { chanceOf } from './rates.ts';
import { countNextDisagrees, countTakeTurns } from './others-lines.ts';
import { sampleOf, type SampleVisit } from './sample.ts';

const tolerance = { perMille: 20, kg: 500 };

/** One truck, visited by these people half a year apart: 'mia' writes the line, 'mia!' another one. */
function truck(...people: string[]): SampleVisit[] {
  trucks += 1;
  const vehicle = `of lines ${trucks}`;
  return people.map((who, at) =>
    visitOf({
      vehicle,
      technician: who.replace('!', ''),
      at: START + at * 180 * DAY_MS,
      axles: [axleOf(`DRIVE 100 5000 ${who.endsWith('!') ? 250 : 300} 15000`, { referenceKg: 16_500 })],
    }),
  );
}
let trucks = 0;
const times = (count: number, make: (at: number) => SampleVisit[]) =>
  Array.from({ length: count }, (_, at) => make(at)).flat();

test('who is followed by somebody that disagrees with everybody is expected to be disagreed with', () => {
  const visits = [
    ...times(12, () => truck('mia', 'odd!')),
    ...times(60, (at) => truck(`honest${at % 6}`, 'odd!')),
    ...times(60, (at) => truck(`honest${at % 6}`, `honest${(at + 1) % 6}`)),
  ];
  const mia = countNextDisagrees(sampleOf(visits), tolerance).find(({ technician }) => technician === 'mia');
  expect([mia?.n, mia?.hits]).toEqual([12, 12]);
  // Where people disagree in one of three visits or so.
  expect(mia?.facts['expected']).toBeGreaterThan(1.5);
});

test('two who take turns agree with each other and with nobody else', () => {
  const visits = [
    ...times(10, () => truck('mia!', 'jo!')),
    ...times(8, (at) => truck('mia!', `honest${at}`)),
    ...times(80, (at) => truck(`honest${at % 8}`, `honest${(at + 1) % 8}`)),
  ];
  const counts = countTakeTurns(sampleOf(visits), tolerance);
  const mia = counts.find(({ technician }) => technician === 'mia');
  expect(mia).toMatchObject({ n: 8, hits: 8, facts: { mutual: 10, partners: 1 } });
  expect(chanceOf(mia ?? { n: 1, hits: 0 }, { mean: 0.1, rho: 0.02 }, { side: 'more', isSlip: false })).toBeLessThan(
    1e-5,
  );
  expect(counts.filter(({ n }) => n > 0).map(({ technician }) => technician)).not.toContain('honest0');
});
