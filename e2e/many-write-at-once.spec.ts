// Eight people at once change few vehicles by the forms of the pages: whatever comes of it, some order explains it, and
// what was not done is not acknowledged.
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
