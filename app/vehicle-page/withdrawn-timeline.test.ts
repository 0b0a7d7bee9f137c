// What a truck's timeline says of a visit whose weighbridge was withdrawn, and of the lift.
import { expect, test } from 'vitest';
import { addSignedIn } from '#test/people.ts';
import { addTruck, addWeighbridge, applyAll, lift, weighOn, withdraw } from '#test/withdrawals.ts';
import { createTestServices } from '#test/services.ts';
import { vehiclePage } from './vehicle-page.server.ts';

const WAITS =
  '1 Jun 2031: Visit of 10 May 2031: waits. The weighbridge Example Creek was withdrawn for 3 to 19 May 2031';

test('the withdrawal of a weighbridge and its lift stand in the timeline, with the verdict that followed', async () => {
  const services = await createTestServices({ RATE_LIMITS: 'off' });
  const mia = await addSignedIn(services, 'admin', 'mia@registry.example', 'Mia');
  const noor = await addSignedIn(services, 'admin', 'noor@registry.example', 'Noor');
  const jo = await addSignedIn(services, 'technician', 'jo@scales.example', 'Jo Nguyen');
  const at = (day: string) => services.setNow(`${day}T01:00:00Z`);
  const timeline = async () => {
    const found = await vehiclePage(services, 'REC1', {
      asked: new URLSearchParams(),
      origin: 'http://localhost',
      who: null,
    });
    if (found.state !== 'live') throw new Error(found.state);
    const { items, periods } = found.page.timeline;
    const [note] = found.page.evidence.notes;
    return {
      note: note === undefined ? null : { lead: note.lead, link: note.link?.to },
      links: items.flatMap((item) => ('bridge' in item ? [item.bridge?.id] : [])),
      said: items.map((item) => `${item.date}: ${item.kind === 'verdict' ? item.verdict : item.words}`),
      verdicts: periods.map(({ verdict }) => verdict),
    };
  };
  // The database's own clock dates the entries of its log: all that happens here is later.
  at('2031-04-01');
  const bridge = await addWeighbridge(services, mia, 'Example Creek');
  await addTruck(services, mia, 'REC1');
  at('2031-05-10');
  await weighOn(services, jo, 'REC1', bridge);
  at('2031-06-01');
  const id = await withdraw(services, [mia, noor], bridge, ['2031-05-03', '2031-05-19']);
  await applyAll(services);
  const withdrawn = await timeline();
  expect(withdrawn.said).toContain(WAITS);
  expect(withdrawn.links).toEqual([bridge.id]);
  expect(withdrawn.note).toEqual({
    lead: 'The weighbridge Example Creek was withdrawn for 3 to 19 May 2031.',
    link: `/references/${bridge.id}`,
  });
  expect(withdrawn.verdicts.at(-1)).toBe('not-validated');
  expect(withdrawn.verdicts.at(-2)).toBe('valid');
  at('2031-06-20');
  await lift(services, [mia, noor], id);
  await applyAll(services);
  const lifted = await timeline();
  expect(lifted.said).toContain(WAITS);
  expect(lifted.said).toContain(
    '20 Jun 2031: Visit of 10 May 2031: counts. The withdrawal of the weighbridge Example Creek was lifted',
  );
  expect(lifted.verdicts.slice(-3)).toEqual(['valid', 'not-validated', 'valid']);
  await services.stop();
});
