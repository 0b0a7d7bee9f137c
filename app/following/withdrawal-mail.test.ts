// Followers of a truck are told once when the weighbridge of its visit is withdrawn, and once when that is lifted.
import { expect, test } from 'vitest';
import { composeMail } from '#server/compose-mail.ts';
import { addFollower } from '#test/followers.ts';
import { addSignedIn } from '#test/people.ts';
import { addTruck, addWeighbridge, applyAll, lift, weighOn, withdraw } from '#test/withdrawals.ts';
import { createTestServices } from '#test/services.ts';
import { notifyFollowers } from './notify-followers.server.ts';

test('of a withdrawal and its lift each follower is told once, with the reason in neutral words', async () => {
  const services = await createTestServices({ PUBLIC_URL: 'https://registry.example' });
  const { db } = services;
  const mia = await addSignedIn(services, 'admin', 'mia@registry.example', 'Mia');
  const noor = await addSignedIn(services, 'admin', 'noor@registry.example', 'Noor');
  const jo = await addSignedIn(services, 'technician', 'jo@scales.example', 'Jo Nguyen');
  const mails = async () => {
    for (let time = 0; time < 2; time += 1) await notifyFollowers(services, () => false);
    const waiting = await db.selectFrom('mail').selectAll().where('kind', '=', 'follower-told').orderBy('id').execute();
    await db.deleteFrom('mail').execute();
    return Promise.all(waiting.map((mail) => db.transaction().execute((tx) => composeMail(services)(tx, mail))));
  };
  services.setNow('2026-05-10T01:00:00Z');
  const bridge = await addWeighbridge(services, mia, 'Example Creek');
  await addTruck(services, mia, 'REC1');
  await weighOn(services, jo, 'REC1', bridge);
  const { id: vehicleId, nextCalibrationDueOn: dueOn } = await db
    .selectFrom('vehicle')
    .select(['id', 'nextCalibrationDueOn'])
    .executeTakeFirstOrThrow();
  const told = JSON.stringify({ REC1: { state: 'Valid', dueOn } });
  for (const email of ['sam@fleet.example', 'kim@fleet.example'])
    await addFollower(db, { email, vehicleId, confirmedOn: '2026-05-10', told, lookOn: '2026-05-10' });
  expect(await mails()).toEqual([]);

  services.setNow('2026-06-01T01:00:00Z');
  const id = await withdraw(services, [mia, noor], bridge, ['2026-05-03', '2026-05-19']);
  await applyAll(services);
  const withdrawn = await mails();
  expect(withdrawn).toHaveLength(2);
  for (const mail of withdrawn) {
    expect(mail?.subject).toMatch(/^REC1: /);
    expect(mail?.text).toContain('The reference it was weighed on was withdrawn for 3 to 19 May 2026.');
    expect(mail?.text).not.toMatch(/Jo Nguyen|out of tolerance/);
  }
  await lift(services, [mia, noor], id);
  await applyAll(services);
  const lifted = await mails();
  expect(lifted).toHaveLength(2);
  for (const mail of lifted) expect(mail?.text).toContain('Valid');
  await services.stop();
});
