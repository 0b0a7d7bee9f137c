// Of each pattern that so few can show there is one technician in the demo's fleet, and nobody else is listed, on any
// night of a month.
import { nightLevel } from '#app/patterns/correction.ts';
import { findAtLevel } from '#app/patterns/find-patterns.ts';
import { PATTERN_KINDS } from '#app/patterns/pattern.ts';
import { sampleOf, type SampleVisit } from '#app/patterns/sample.ts';
import { expect, test } from 'vitest';
import { demoFleet, emailOf, FLEET_TECHNICIANS } from './fleet.ts';
import { DEMO_WEIGHBRIDGES } from './fill.ts';

const { trucks, visits } = demoFleet();
const DAY_MS = 86_400_000;
const NONE = { foundEmpty: null, foundLoaded: null, sensorReplaced: false, otherTrailer: false };

function visitsSampled(): SampleVisit[] {
  return visits.map(({ rego, by, daysAgo, minute, weighbridge, ticket, hasPhoto, axles }, place) => {
    const at = DEMO_WEIGHBRIDGES.find(({ name }) => name === weighbridge);
    return {
      id: `v${place}`,
      technician: by.name ?? '',
      vehicle: rego,
      make: trucks.find((one) => one.rego === rego)?.make ?? '',
      at: Date.parse('2026-11-01T00:00:00Z') - daysAgo * DAY_MS + minute * 60_000,
      hasTime: true,
      place: {
        id: weighbridge,
        latitude: Number(at?.latitude),
        longitude: Number(at?.longitude),
        stepKg: Number(at?.interval_kg),
      },
      ticket,
      photo: hasPhoto ? { sha256: 'a'.repeat(64), dhash: null } : null,
      isComplete: true,
      axles: axles.map(({ found, emptyVolt, loadedVolt, ...axle }) => ({
        ...NONE,
        ...axle,
        emptyVolt: Math.round(emptyVolt * 100),
        loadedVolt: Math.round(loadedVolt * 100),
        ...(found && { foundEmpty: found[0], foundLoaded: found[1] }),
      })),
    };
  });
}

test.each(['2026-11-01', '2026-11-30'])('each pattern is found once, and nobody else is listed: %s', (night) => {
  const { listed } = findAtLevel(sampleOf(visitsSampled()), {
    level: nightLevel(night),
    tolerance: { perMille: 20, kg: 500 },
  });
  expect(listed.map(({ pattern, technician }) => `${pattern}: ${technician}`).toSorted()).toEqual(
    FLEET_TECHNICIANS.flatMap(({ plants, name }) => (plants === '' ? [] : [`${plants}: ${name}`])).toSorted(),
  );
});

const TOO_FEW = ['never-found-out', 'other-trailer', 'take-turns', 'bunched-at-due'];

test('each pattern that so few can show is planted once, by somebody with an email address that nobody else has', () => {
  const planted = FLEET_TECHNICIANS.flatMap(({ plants }) => plants || []);
  expect([...planted, ...TOO_FEW].toSorted()).toEqual([...PATTERN_KINDS].toSorted());
  expect(new Set(FLEET_TECHNICIANS.map(emailOf)).size).toBe(FLEET_TECHNICIANS.length);
  expect(new Set(trucks.map(({ rego }) => rego)).size).toBe(trucks.length);
});

test('an empty truck weighs what it weighed', () => {
  for (const visits of Map.groupBy(demoFleet().visits, ({ rego }) => rego).values())
    for (const axle of ['STEER', 'DRIVE'] as const) {
      const empty = visits.map(({ axles }) => axles.find((one) => one.axle === axle)?.emptyWeight ?? 0);
      expect(Math.max(...empty) - Math.min(...empty)).toBeLessThan(300);
    }
});
