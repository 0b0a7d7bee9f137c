// What the registry says today of a day that is over is what its page said then, whatever happened since: over random
// histories, of which each answer was kept as it happened. HISTORIES: how many.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { instantOfDay, addDays } from '#app/platform/time/calendar.ts';
import { pastDay } from '#app/transparency-log/past-day.server.ts';
import { openGround, runHistories, saidNow, ZONE, type Ground } from '#test/past-histories.ts';
import { readPast } from './past-page.server.ts';

const HISTORIES = Number(process.env['HISTORIES'] ?? 20);
const TRUCKS = 10;
const DAYS = 5;
const SEED = Number(process.env['SEED'] ?? 7);
let ground: Ground;

beforeAll(async () => {
  ground = await openGround();
});
afterAll(() => ground.services.stop());

test(
  'of each day it says what the page said at its end',
  async () => {
    const { services } = ground;
    const states = new Map<string, number>();
    let [all, changed] = [0, 0];
    for (let done = 0; done < HISTORIES; done += TRUCKS) {
      const { kept } = await runHistories(ground, { seed: SEED + done, trucks: TRUCKS, days: DAYS });
      const after = services.now();
      const today = new Map<string, string>();
      for (const { rego } of kept)
        if (!today.has(rego)) today.set(rego, JSON.stringify(await saidNow(services, rego, null)));
      for (const { day, rego, said } of kept) {
        services.setNow(after.toISOString());
        const over = await pastDay(services, day);
        const size = 'none' in over ? 0 : over.size;
        services.setNow(new Date(instantOfDay(addDays(day, 1), ZONE).getTime() - 1).toISOString());
        expect({ day, rego, seed: SEED + done, said: await saidNow(services, rego, size) }).toEqual({
          day,
          rego,
          seed: SEED + done,
          said,
        });
        all += 1;
        if (today.get(rego) !== JSON.stringify(said)) changed += 1;
        const word = typeof said === 'string' ? said : wordOf(said);
        states.set(word, (states.get(word) ?? 0) + 1);
      }
      services.setNow(after.toISOString());
    }
    // Most of them are not what the page says now, and they are not one answer.
    expect(changed / all).toBeGreaterThan(0.4);
    console.log(
      `${HISTORIES} histories, ${all} answers, ${changed} of which are another now`,
      Object.fromEntries(states),
    );
    const kinds = ['Due soon', 'Never calibrated', 'Not validated', 'Valid', 'unknown'];
    const rare = HISTORIES < 100 ? [] : ['Overdue', 'removed'];
    expect([...states.keys()].toSorted()).toEqual(expect.arrayContaining([...kinds, ...rare]));
  },
  HISTORIES * 10_000,
);

const wordOf = (said: unknown): string => JSON.stringify(said).match(/"word":"([^"]+)"/)?.[1] ?? '';

test('a day before the log began says so, as does one that is not over', async () => {
  const { services, day } = ground;
  const none = async (on: string) => {
    const found = await readPast(services, 'NOBODY', on);
    return 'none' in found ? found.none : '';
  };
  expect(await none('2020-01-01')).toContain('What was said before cannot be proved.');
  expect(await none(day)).toBe('That day is not over yet.');
  expect(await none(addDays(day, 1))).toBe('That day is not over yet.');
  expect(await none(addDays(day, -1))).toBe('At the end of that day no vehicle had the rego NOBODY here.');
  expect(await none('2026-02-30')).toContain('This is no day.');
});
