import { afterAll, beforeAll, expect, test } from 'vitest';
import { takeMails } from '#test/queued-mails.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { askToFollow, FOLLOWS_PER_ADDRESS } from './ask-to-follow.server.ts';

let services: TestServices;
let vehicleId: string;
beforeAll(async () => {
  services = await createTestServices();
  ({ id: vehicleId } = await services.db
    .insertInto('vehicle')
    .values({ rego: 'AAA1' })
    .returning('id')
    .executeTakeFirstOrThrow());
});
afterAll(() => services.stop());

test('a mailbox gets so many mails an hour, whatever tags its addresses have', async () => {
  const tagged = Array.from({ length: FOLLOWS_PER_ADDRESS.max + 3 }, (_, place) => `sam+${place}@fleet.example`);
  for (const [place, email] of tagged.entries()) {
    const what = place % 2 === 0 ? { vehicleId } : { list: 'AAA1' };
    await askToFollow(services, `192.0.2.${place}`, { email, ...what });
  }
  expect(await takeMails(services)).toHaveLength(FOLLOWS_PER_ADDRESS.max);
  await askToFollow(services, '192.0.2.99', { email: 'else@fleet.example', vehicleId });
  expect(await takeMails(services)).toHaveLength(1);
});
