import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { fewDearAnswers, isDear } from './dear-answers.ts';

test('two dear answers are worked on at a time, thirty wait, and the rest come again', async () => {
  let working = 0;
  let most = 0;
  const finish: (() => void)[] = [];
  const app = new Hono().use(fewDearAnswers()).all('*', async (context) => {
    if (!context.req.path.includes('report')) return context.text('cheap');
    most = Math.max(most, (working += 1));
    await new Promise<void>((resolve) => finish.push(resolve));
    working -= 1;
    return context.text('dear');
  });
  const asked = Array.from({ length: 50 }, () => app.request('/vehicles/report/XV04KL.pdf'));
  const refused = await Promise.all(asked.slice(32));
  expect(refused.map(({ status }) => status)).toEqual(Array.from({ length: 18 }, () => 503));
  // What is not dear does not wait.
  expect(await (await app.request('/search?q=XV04')).text()).toBe('cheap');
  for (let done = 0; done < 32; done += 1) {
    while (finish.length === 0) await new Promise((resolve) => setImmediate(resolve));
    finish.shift()?.();
  }
  expect((await Promise.all(asked.slice(0, 32))).map(({ status }) => status)).toEqual(
    Array.from({ length: 32 }, () => 200),
  );
  expect(most).toBe(2);
});

test('of the pages of vehicles four are made at a time, three hundred wait, and the rest come again', async () => {
  let working = 0;
  let most = 0;
  const app = new Hono().use(fewDearAnswers()).all('*', async (context) => {
    most = Math.max(most, (working += 1));
    await new Promise((resolve) => setImmediate(resolve));
    working -= 1;
    return context.text('page');
  });
  const asked = Array.from({ length: 310 }, () => app.request('/vehicles/view/XV04KL'));
  const statuses = (await Promise.all(asked)).map(({ status }) => status);
  expect(statuses).toEqual(Array.from({ length: 310 }, (_, nth) => (nth < 304 ? 200 : 503)));
  expect(most).toBe(4);
});

test('what reads or proves a whole history is dear, and what everybody opens is not', () => {
  const ofTruck = '/api/v1/vehicles/XV04KL';
  const dear = [
    '/vehicles/history/XV04KL',
    '/vehicles/report/XV04KL.pdf',
    '/patterns/method',
    ...['proof', 'proof.svg', 'sets', 'sets/1763076120000-steer', 'sets/1763076120000-steer/proof'].map(
      (name) => `${ofTruck}/${name}`,
    ),
  ];
  expect(dear.filter((at) => !isDear(at))).toEqual([]);
  expect(['/', '/search', '/vehicles/view/XV04KL', ofTruck, `${ofTruck}/calibrations`].filter(isDear)).toEqual([]);
});
