// Eight people change few vehicles through the pages' forms at once. Some order of the writes explains the result, and no
// write is acknowledged that was not done.
import { explore } from '#test/histories/explore.ts';
import { onForms } from '#test/histories/forms-ground.ts';
import { newPerson, sessionOf } from './people.ts';
import { expect, test } from './registry.ts';

test('twenty histories of eight people over forms are each explained by some order', async ({ registry }) => {
  test.setTimeout(300_000);
  const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31));
  const found = await explore({ ground: await onForms(registry), seed, runs: 20, shrinkForMs: 60_000 });
  expect(found?.report).toBeUndefined();
});

test('a decision on a vehicle that is gone meanwhile is not acknowledged', async ({ registry }) => {
  const { cookie } = await sessionOf(registry, await newPerson(registry, 'admin'));
  const decide = async () => {
    const answer = await fetch(`${registry.url}/vehicles/validate/DECIDED`, {
      method: 'POST',
      headers: { cookie, origin: registry.url },
      body: new URLSearchParams({ validated: 'yes' }),
      redirect: 'manual',
    });
    return {
      status: answer.status,
      says: /registry-notice=([a-z-]+)/.exec(answer.headers.get('set-cookie') ?? '')?.[1],
    };
  };
  await registry.db.insertInto('vehicle').values({ rego: 'DECIDED' }).execute();
  expect(await decide()).toEqual({ status: 303, says: 'vehicle-validated' });
  await registry.db.updateTable('vehicle').set({ deletedAt: new Date() }).where('rego', '=', 'DECIDED').execute();
  expect(await decide()).toEqual({ status: 303, says: undefined });
});

test('without scripts, a refusal says why and keeps what was typed, whatever became of the record', async ({
  registry,
}) => {
  const { db, url } = registry;
  const { cookie } = await sessionOf(registry, await newPerson(registry, 'admin'));
  const send = async (path: string, fields: Record<string, string>) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    const whole = new Response(form);
    const headers = { cookie, origin: url, 'content-type': whole.headers.get('content-type') ?? '' };
    const body = await whole.arrayBuffer();
    const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body, redirect: 'manual' });
    return { status: answer.status, page: await answer.text() };
  };

  await db.insertInto('vehicle').values({ rego: 'GONE5', deletedAt: new Date() }).execute();
  const update = await send('/vehicles/update/GONE5', { version: '1', notes: 'typed by the roadside' });
  expect(update.status).toBe(409);
  expect(update.page).toContain('vehicle-removed.');
  expect(update.page).toContain('typed by the roadside');

  const { id: vehicleId } = await db
    .insertInto('vehicle')
    .values({ rego: 'TWICE5' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const entry = {
    rego: 'TWICE5',
    vehicleId,
    axle: 'STEER',
    attribute: 'Empty Volt',
    calibratedAt: new Date(),
  } as const;
  await db
    .insertInto('calibration')
    .values([
      { ...entry, id: 5, value: '0.84' },
      { ...entry, id: 6, value: '0.85', correctsId: 5, correctionReason: 'misread' },
    ])
    .execute();
  const reading = { axle: 'steer', attribute: 'Empty Volt', value: '0.86', reason: 'read a third time' };
  const correction = await send('/calibrations/correct/TWICE5/5', reading);
  expect(correction.status).toBe(409);
  expect(correction.page).toContain('corrected-already.');
  expect(correction.page).toContain('read a third time');
});
