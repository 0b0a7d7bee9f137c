import { afterAll, beforeAll, expect, test } from 'vitest';
import { askToWatch } from '#app/watch-lists/ask-to-watch.server.ts';
import { takeMails } from '#test/queued-mails.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { askToFollow, FOLLOWS_PER_ADDRESS } from './ask-to-follow.server.ts';

let services: TestServices;
beforeAll(async () => {
  services = await createTestServices();
  await services.db.insertInto('vehicle').values({ rego: 'AAA1' }).execute();
});
afterAll(() => services.stop());

test('a mailbox gets so many mails an hour, whatever tags its addresses have', async () => {
  const tagged = Array.from({ length: FOLLOWS_PER_ADDRESS.max + 3 }, (_, place) => `sam+${place}@fleet.example`);
  for (const [place, email] of tagged.entries()) {
    await askToFollow(services, `192.0.2.${place}`, 'AAA1', email);
    await askToWatch(services, `192.0.2.${place}`, { email, list: 'AAA1' });
  }
  expect(await takeMails(services)).toHaveLength(2 * FOLLOWS_PER_ADDRESS.max);
  await askToFollow(services, '192.0.2.99', 'AAA1', 'else@fleet.example');
  expect(await takeMails(services)).toHaveLength(1);
});
