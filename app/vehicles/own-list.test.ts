import { RouterContextProvider } from 'react-router';
import { expect, test } from 'vitest';
import { signedInContext, type SignedIn } from '#app/access/session.server.ts';
import { createTestServices } from '#test/services.ts';
import { addSignedIn } from '#test/people.ts';
import { ownList } from './own-list.server.ts';

test('a technician’s list is narrowed to their own trucks, an admin’s to anybody’s', async () => {
  const services = await createTestServices();
  const jo = await addSignedIn(services, 'technician', 'jo@scales.example', 'Jo');
  const sam = await addSignedIn(services, 'technician', 'sam@scales.example', 'Sam');
  const mia = await addSignedIn(services, 'admin', 'mia@registry.example', 'Mia');
  await services.stop();
  const by = (who: SignedIn, asked: SignedIn) => {
    const context = new RouterContextProvider();
    context.set(signedInContext, who);
    return ownList(new URL(`http://localhost/vehicles.csv?q=XV&by=${asked.personId}`), context).search;
  };
  expect(by(jo, jo)).toBe(`?q=XV&by=${jo.personId}`);
  expect(by(jo, sam)).toBe('?q=XV');
  expect(by(mia, sam)).toBe(`?q=XV&by=${sam.personId}`);
});
