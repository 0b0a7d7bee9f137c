// What each pattern counts, and the honest behaviour that would fool a simpler one.
import { expect, test } from 'vitest';
import { axleOf, DAY_MS, placeOf, START, visitOf } from '#test/registries/a-visit.ts';
import { KINDS, startCounting } from './kinds.ts';
import type { PatternKind } from './pattern.ts';
import { sampleOf, type SampleVisit } from './sample.ts';

const MINUTE_MS = 60_000;

function counted(kind: PatternKind, visits: readonly SampleVisit[]): [n: number, hits: number] {
  const count = countOf(kind, visits);
  return [count.n, count.hits];
}

function countOf(kind: PatternKind, visits: readonly SampleVisit[]) {
  const sample = sampleOf(visits);
  const counts = KINDS[kind].count(sample, startCounting(sample, { perMille: 20, kg: 500 }));
  const count = counts.find(({ technician }) => technician === 'mia');
  if (count === undefined) throw new Error('nobody');
  return count;
}

test('a whole visit copied to another truck is found; the truck’s own is left to another pattern', () => {
  const first = visitOf();
  const copy = visitOf({ axles: first.axles });
  const again = visitOf({ vehicle: first.vehicle, axles: first.axles });
  const count = countOf('copied-axle-sets', [first, visitOf(), copy]);
  expect([count.n, count.hits, count.findings]).toEqual([3, 1, [[copy.id, first.id]]]);
  expect(counted('copied-axle-sets', [first, again])).toEqual([2, 0]);
});

test('one equal axle group counts between makes, and not between identical trucks', () => {
  const first = visitOf();
  const [steer = axleOf('STEER 1 2 3 4')] = first.axles;
  const shared = [steer, axleOf('DRIVE 111 5040 371 15580')];
  const single = (make: string) =>
    countOf('copied-axle-sets', [first, visitOf({ make, axles: shared })]).facts['single'];
  expect([single('Mack'), single('Volvo'), single('')]).toEqual([1, 0, 0]);
});

test('a visit of somebody else, copied whole, is found with who recorded it later', () => {
  const first = visitOf({ technician: 'jo' });
  expect(counted('copied-axle-sets', [first, visitOf({ axles: first.axles })])).toEqual([1, 1]);
});

test('the visit before, repeated to the digit, is found; one weighing recorded twice is not', () => {
  const first = visitOf({ technician: 'jo' });
  const later = visitOf({ vehicle: first.vehicle, axles: first.axles, at: first.at + 180 * DAY_MS });
  const sameDay = visitOf({ vehicle: first.vehicle, axles: first.axles, at: first.at + 3 * 60 * MINUTE_MS });
  const other = visitOf({ vehicle: first.vehicle, at: first.at + 180 * DAY_MS });
  expect(counted('same-as-before', [first, later])).toEqual([1, 1]);
  expect(counted('same-as-before', [first, sameDay])).toEqual([0, 0]);
  expect(counted('same-as-before', [first, other])).toEqual([1, 0]);
});

test('the visit before, each reading moved by a step at most, is found once it is not the same', () => {
  const first = visitOf();
  const again = (kg: number) =>
    visitOf({
      vehicle: first.vehicle,
      at: first.at + 100 * DAY_MS,
      axles: first.axles.map((axle) => ({
        ...axle,
        emptyVolt: axle.emptyVolt + 1,
        loadedWeight: axle.loadedWeight - kg,
      })),
    });
  expect(counted('moved-a-step', [first, again(20)])).toEqual([1, 1]);
  expect(counted('moved-a-step', [first, again(60)])).toEqual([1, 0]);
  expect(counted('moved-a-step', [first, { ...again(0), axles: first.axles }])).toEqual([1, 0]);
});

test('a line stays where all loaded weights lie on the one before, 60 days later', () => {
  const line = (volt: number, kg: number, days: number) =>
    visitOf({
      vehicle: 'steady',
      at: START + days * DAY_MS,
      axles: ['STEER', 'DRIVE'].map((axle) => axleOf(`${axle} 100 5000 ${volt} ${kg}`)),
    });
  // 50 kg a hundredth of a volt.
  expect(counted('line-stays', [line(300, 15_000, 0), line(310, 15_520, 100)])).toEqual([1, 1]);
  expect(counted('line-stays', [line(300, 15_000, 0), line(310, 15_600, 100)])).toEqual([1, 0]);
  expect(counted('line-stays', [line(300, 15_000, 0), line(310, 15_500, 30)])).toEqual([0, 0]);
});

test('visits about when one fell due are asked whether they came in its last days', () => {
  const dueAt = START + 180 * DAY_MS;
  const about = (...days: number[]) =>
    days.flatMap((day) => {
      const first = visitOf({ at: START, dueAt });
      return [first, visitOf({ vehicle: first.vehicle, at: dueAt + day * DAY_MS })];
    });
  expect(counted('bunched-at-due', about(0, -2, -3, 1, -40, -10))).toEqual([5, 2]);
  expect(counted('bunched-at-due', about(0, -2, -1, 5))).toEqual([0, 0]);
});

test('digits of volts are asked in the steps of the visit, or of the technician who rounds all', () => {
  const read = (volts: readonly [number, number, number, number], technician = 'mia') =>
    visitOf({
      technician,
      axles: [axleOf(`STEER ${volts[0]} 5000 ${volts[1]} 6000`), axleOf(`DRIVE ${volts[2]} 5000 ${volts[3]} 6000`)],
    });
  const fine = read([101, 203, 105, 210]);
  // In steps of 0.05 V, multiples of 0.25 V are the round ones.
  const rounded = read([100, 205, 110, 225]);
  expect(counted('invented-volts', [fine, rounded])).toEqual([8, 4]);
  // What others write on the same truck is nothing to them.
  expect(
    counted('invented-volts', [{ ...read([111, 222, 133, 244], 'jo'), vehicle: rounded.vehicle }, rounded]),
  ).toEqual([4, 2]);
  expect(counted('invented-volts', [visitOf({ axles: [axleOf('STEER 100 5000 205 6000')] })])).toEqual([0, 0]);
});

/** Eight visits at one weighbridge, whose weights go up by `step`. */
const weighed = (place: SampleVisit['place'], { step = 20, technician = 'mia', add = 0 } = {}) =>
  Array.from({ length: 8 }, (_, at) =>
    visitOf({
      place,
      technician,
      axles: ['STEER', 'DRIVE'].map((axle) =>
        axleOf(`${axle} 300 ${4000 + step * at + add} 400 ${6000 + step * at + add}`),
      ),
    }),
  );

test('kilograms are asked in the writer’s own steps, and only of weighbridges of the register', () => {
  // The first visit is rounded to 100 kg as a whole, and so is the sixth.
  expect(counted('invented-kilograms', weighed(placeOf('b1')))).toEqual([32, 4]);
  expect(counted('invented-kilograms', weighed(null))).toEqual([0, 0]);
  expect(counted('invented-kilograms', weighed(placeOf('b1')).slice(0, 5))).toEqual([0, 0]);
  // Nobody else's steps are theirs.
  const odd = weighed(placeOf('b1'), { step: 7, technician: 'jo' });
  expect(counted('invented-kilograms', [...weighed(placeOf('b1')), ...odd])).toEqual([32, 4]);
});

test('a weight that no weighbridge shows is asked of its writer, where the others write what it can show', () => {
  const place = { ...placeOf('b1'), stepKg: 20 };
  const others = ['jo', 'kim'].flatMap((technician) => weighed(place, { technician }));
  const cannot = (own: SampleVisit[], beside = others) => counted('cannot-be-shown', [...own, ...beside]);
  const third = ['lee', 'max'].flatMap((technician) => weighed(place, { technician }));
  expect(cannot(weighed(place, { add: 3 }), [...others, ...third])).toEqual([8, 8]);
  expect(cannot(weighed(place))).toEqual([8, 0]);
  // The mean of three weighings, and of two.
  expect(cannot(weighed(place, { add: 7 }))).toEqual([8, 0]);
  expect(cannot(weighed(place, { add: 10 }))).toEqual([8, 0]);
  // Two writers show nothing, nor does a step that nobody writes in.
  expect(cannot(weighed(place, { add: 3 }), others.slice(0, 8))).toEqual([0, 0]);
  const wrong = ['mia', 'jo', 'kim'].flatMap((technician) => weighed({ ...place, stepKg: 50 }, { technician }));
  expect(counted('cannot-be-shown', wrong)).toEqual([0, 0]);
});

test('an axle is found out beyond the tolerance at its reference mass', () => {
  const found = (foundLoaded: number | null) =>
    visitOf({
      axles: [
        axleOf('DRIVE 100 5000 300 15000', {
          referenceKg: 16_500,
          foundEmpty: foundLoaded === null ? null : 5000,
          foundLoaded,
        }),
      ],
    });
  // 15,420 is 420 kg out at 15 t, and 483 at 16.5 t; 15,440 is 506 there.
  expect(counted('never-found-out', [found(15_420), found(15_440), found(null)])).toEqual([2, 1]);
});

test('as found is as left where both loads of every group are, of this visit or the one before', () => {
  const [first, own] = [visitOf(), visitOf()];
  const left = first.axles.map((axle) => ({ ...axle, foundEmpty: axle.emptyWeight, foundLoaded: axle.loadedWeight }));
  const near = left.map((axle) => ({ ...axle, foundLoaded: axle.foundLoaded + 20 }));
  expect(counted('found-as-left', [visitOf({ axles: left })])).toEqual([1, 1]);
  expect(counted('found-as-left', [visitOf({ axles: near })])).toEqual([1, 0]);
  const copied = own.axles.map((axle, at) => ({
    ...axle,
    foundEmpty: first.axles[at]!.emptyWeight,
    foundLoaded: first.axles[at]!.loadedWeight,
  }));
  expect(counted('found-as-left', [first, visitOf({ vehicle: first.vehicle, axles: copied })])).toEqual([1, 1]);
});

test('five trucks within an hour are too fast, four are not, and rounded times are allowed for', () => {
  const every = (minutes: number, trucks: number, rest: Partial<SampleVisit> = {}) =>
    Array.from({ length: trucks }, (_, at) => visitOf({ at: START + at * minutes * MINUTE_MS, ...rest }));
  const ordinary = Array.from({ length: 5 }, (_, day) =>
    [7, 68, 131].map((minute) => visitOf({ at: START - (day + 3) * DAY_MS + minute * MINUTE_MS })),
  ).flat();
  expect(counted('too-fast', [...ordinary, ...every(7, 6)])).toEqual([21, 2]);
  expect(counted('too-fast', [...ordinary, ...every(19, 6)])).toEqual([21, 0]);
  expect(counted('too-fast', [...ordinary, ...every(7, 6, { vehicle: 'one truck' })])).toEqual([21, 0]);
  expect(counted('too-fast', every(19, 6, { isComplete: false }))).toEqual([0, 0]);
  // One after the other is how they were recorded.
  expect(counted('too-fast', every(7, 6))).toEqual([0, 0]);
  // Only the day is known: all of them at its beginning.
  expect(counted('too-fast', every(0, 9, { hasTime: false }))).toEqual([0, 0]);
  // A truck in 16 minutes, stated in quarters of an hour: five within 60 minutes by the statement alone.
  expect(counted('too-fast', every(15, 5))).toEqual([5, 0]);
});

test('too far is what 110 km/h do not allow, and one wrong day is one hit', () => {
  const [sydney, perth] = [placeOf('sydney', -33.87, 151.21), placeOf('perth', -31.95, 115.86)];
  const at = (hours: number, place: SampleVisit['place'], rest: Partial<SampleVisit> = {}) =>
    visitOf({ at: START + hours * 60 * MINUTE_MS + 7 * MINUTE_MS, place, ...rest });
  const before = at(0, sydney);
  const astray = at(2, perth);
  const count = countOf('too-far', [before, astray, at(4, sydney), at(5, sydney)]);
  expect([count.n, count.hits, count.findings]).toEqual([4, 1, [[astray.id, before.id]]]);
  expect(counted('too-far', [astray, at(4, sydney), at(5, sydney)])).toEqual([3, 1]);
  // 3,290 km take 6.1 hours with an aeroplane.
  expect(counted('too-far', [at(0, sydney), at(5.9, perth)])).toEqual([2, 1]);
  expect(counted('too-far', [at(0, sydney), at(6.4, perth)])).toEqual([2, 0]);
  expect(counted('too-far', [at(0, sydney), at(2, null), at(3, perth, { hasTime: false })])).toEqual([1, 0]);
});

test('two people under one account, at usual weighbridges of theirs, are not too far', () => {
  const [here, there] = [placeOf('here', -33, 150), placeOf('there', -33, 154)];
  const day = (at: number) => [
    visitOf({ at: START + at * DAY_MS + 7 * MINUTE_MS, place: here }),
    visitOf({ at: START + at * DAY_MS + 29 * MINUTE_MS, place: there }),
  ];
  expect(counted('too-far', [1, 2, 3, 4].flatMap(day))).toEqual([8, 0]);
  expect(counted('too-far', day(1))).toEqual([2, 1]);
});

test('a ticket is used twice on another truck or day, at one weighbridge', () => {
  const [here, there] = [placeOf('b1'), placeOf('b2')];
  const first = visitOf({ place: here, ticket: '004711' });
  expect(counted('ticket-twice', [first, visitOf({ place: here, ticket: '004711' })])).toEqual([2, 1]);
  expect(counted('ticket-twice', [first, visitOf({ place: there, ticket: '004711' })])).toEqual([2, 0]);
  const parts = visitOf({ place: here, ticket: '004711', vehicle: first.vehicle, at: first.at + 60 * MINUTE_MS });
  expect(counted('ticket-twice', [first, parts])).toEqual([2, 0]);
  expect(
    counted('ticket-twice', [visitOf({ place: here, ticket: 'none' }), visitOf({ place: here, ticket: 'none' })]),
  ).toEqual([0, 0]);
});

test('one ticket of a day’s trucks is no second use, and a printer that begins again each day tells nothing', () => {
  const of = (hours: number, ticket: string) =>
    visitOf({ place: placeOf('b1'), ticket, at: START + hours * 60 * MINUTE_MS });
  expect(counted('ticket-twice', [of(0, '004711'), of(3, '004711')])).toEqual([2, 0]);
  const daily = ['0007', '0031', '0004', '0022', '0002', '0040', '0007'];
  expect(
    counted(
      'ticket-twice',
      daily.map((ticket, day) => of(24 * day, ticket)),
    ),
  ).toEqual([0, 0]);
});

test('a counter that begins again makes numbers meet: somebody else’s counts within a week, where it cannot', () => {
  const of = (technician: string, days: number, ticket: string) =>
    visitOf({ technician, place: placeOf('b1'), ticket, at: START + days * DAY_MS });
  expect(counted('ticket-twice', [of('jo', 0, '004711'), of('mia', 3, '004711')])).toEqual([1, 1]);
  expect(counted('ticket-twice', [of('jo', 0, '004711'), of('mia', 40, '004711')])).toEqual([1, 0]);
  expect(counted('ticket-twice', [of('jo', 0, '4711'), of('mia', 3, '4711')])).toEqual([1, 0]);
  const many = Array.from({ length: 41 }, (_, at) => of('mia', at, String(1000 + at)));
  expect(countOf('ticket-twice', many).facts['byChance']).toBeCloseTo(2 * 820 * 1e-4, 6);
});

test('a photo is used twice: its bytes by anybody, a look-alike by the same technician, a plain one never', () => {
  const shot = (sha256: string, dhash: string | null, technician = 'mia') =>
    visitOf({ technician, photo: { sha256: sha256.padEnd(64, '0'), dhash } });
  const [one, other] = ['f0e1d2c3b4a59687', '0123456789abcdef'];
  const unlike = ['00ff00ff00ff00ff', '3333cccc3333cccc', 'ffff0000ff00f00f'].map((dhash, at) => shot(`c${at}`, dhash));
  const day = shot('aa', one);
  expect(counted('photo-twice', [day, { ...shot('aa', one), at: day.at + 3_600_000 }])).toEqual([2, 0]);
  expect(counted('photo-twice', [shot('aa', one, 'jo'), shot('aa', one)])).toEqual([1, 1]);
  expect(counted('photo-twice', [...unlike, shot('aa', one), shot('bb', 'f0e1d2c3b4a59680')])).toEqual([5, 1]);
  // A camera that never moves.
  expect(counted('photo-twice', [shot('aa', one), shot('bb', 'f0e1d2c3b4a59680')])).toEqual([2, 0]);
  expect(counted('photo-twice', [...unlike, shot('aa', one), shot('bb', 'f0e1d2c3b4a59678')])).toEqual([5, 0]);
  expect(counted('photo-twice', [shot('aa', one), shot('bb', other)])).toEqual([2, 0]);
  expect(counted('photo-twice', [shot('aa', one, 'jo'), shot('bb', one)])).toEqual([1, 0]);
  expect(counted('photo-twice', [shot('aa', '0000000000000003'), shot('bb', '0000000000000003')])).toEqual([2, 0]);
  expect(counted('photo-twice', [shot('aa', null), shot('bb', null)])).toEqual([2, 0]);
});

test('the next one disagrees where somebody else’s line differs, unless the sensor or the trailer is another', () => {
  const drive = (loadedVolt: number, rest: Parameters<typeof axleOf>[1] = {}) => [
    axleOf(`DRIVE 100 5000 ${loadedVolt} 15000`, { referenceKg: 16_500, ...rest }),
  ];
  const first = visitOf({ axles: drive(300) });
  const next = (axles: SampleVisit['axles'], technician = 'jo') =>
    visitOf({ vehicle: first.vehicle, technician, at: first.at + 180 * DAY_MS, axles });
  // Shows 15,925 kg instead of 16,500, and 16,212.
  expect(counted('next-disagrees', [first, next(drive(290))])).toEqual([1, 1]);
  expect(counted('next-disagrees', [first, next(drive(295))])).toEqual([1, 0]);
  expect(counted('next-disagrees', [first, next(drive(290), 'mia')])).toEqual([0, 0]);
  expect(counted('next-disagrees', [first, next(drive(290, { sensorReplaced: true }))])).toEqual([0, 0]);
});

test('replaced sensors and other trailers are counted by visit, where they are not most of it', () => {
  const changed = visitOf({
    axles: [
      axleOf('STEER 300 5000 400 6000', { sensorReplaced: true }),
      axleOf('TRAILERA 100 5000 300 15000', { otherTrailer: true }),
    ],
  });
  const trailer = visitOf({ axles: [axleOf('TRAILERA 100 5000 300 15000')] });
  expect(counted('sensor-replaced', [changed, visitOf()])).toEqual([2, 1]);
  expect(counted('sensor-replaced', [changed])).toEqual([0, 0]);
  expect(counted('other-trailer', [changed, trailer, visitOf()])).toEqual([2, 1]);
});
