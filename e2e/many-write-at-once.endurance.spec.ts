// Eight people change few vehicles through the pages' forms at once. Some order of the writes explains the result, and
// no write is acknowledged that was not done.
import { explore } from '#test/histories/explore.ts';
import { onForms } from '#test/histories/forms-ground.ts';
import { expect, test } from './registry.ts';

test('twenty histories of eight people over forms are each explained by some order', async ({ registry }) => {
  test.setTimeout(300_000);
  const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31));
  const found = await explore({ ground: await onForms(registry), seed, runs: 20, shrinkForMs: 60_000 });
  expect(found?.report).toBeUndefined();
});
