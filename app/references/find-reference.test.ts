// How weighbridges are found: in the list, while one types in a form, and by what a form sends.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import type { SignedIn } from '#app/access/session.server.ts';
import { apiApp } from '#server/api.ts';
import { addSignedIn } from '#test/people.ts';
import { referenceInput } from '#test/references.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { addReference } from './add-reference.server.ts';
import { addRepair } from './add-repair.server.ts';
import { addVerification } from './add-verification.server.ts';
import { matchReference } from './match-reference.server.ts';
import { findCoverage, findReferences, listReferences, listVerifications } from './queries.server.ts';
import { withdrawVerification } from './withdraw-verification.server.ts';

const TODAY = '2026-11-21';

let services: TestServices;
let admin: SignedIn;
const ids: Record<string, string> = {};
beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  admin = await addSignedIn(services, 'admin', 'mia@registry.example', 'Mia');
  for (const [key, more] of Object.entries({
    creek: { name: 'Example Creek', place: 'Example Creek', operator: 'Creek Bulk Pty Ltd' },
    ridge: { name: 'Hollow Ridge', place: 'Ridge Siding', state: 'NSW', operator: 'Ridge 100% Pty Ltd' },
    north: { name: 'Sample Plains', place: 'North Plains', state: 'SA', operator: '' },
    south: { name: 'Sample Plains', place: 'South Plains', state: 'SA', operator: '' },
  })) {
    const added = await addReference(services.db, admin, { input: referenceInput(more), key: undefined });
    ids[key] = added.id;
  }
  const periods = [
    ['creek', 'VC-1', '2024-02-12', '2025-02-11'],
    ['creek', 'VC-2', '2025-03-10', '2026-11-30'],
    // Goes on where the one before ends.
    ['creek', 'VC-3', '2026-12-01', '2027-11-30'],
    ['ridge', 'NC-1', '2026-01-01', '2026-12-01'],
    ['north', 'SC-1', '2027-01-01', '2027-12-31'],
  ] as const;
  for (const [key, certificateNumber, fromOn, toOn] of periods)
    await addVerification(services, admin, {
      referenceId: idOf(key),
      period: { certificateNumber, fromOn, toOn },
      file: '',
      key: undefined,
    });
});
afterAll(() => services.stop());

const idOf = (key: string) => ids[key] ?? '';
const names = async (text: string) =>
  (await listReferences(services.db, { text, page: 1 }, TODAY)).items.map(({ name, place }) => `${name}, ${place}`);

test('the list finds by name, place, state and operator, and says to which day it is covered', async () => {
  expect(await names('')).toHaveLength(4);
  expect(await names('creek')).toEqual(['Example Creek, Example Creek']);
  expect(await names(' SIDING  hollow ')).toEqual(['Hollow Ridge, Ridge Siding']);
  expect(await names('100%')).toEqual(['Hollow Ridge, Ridge Siding']);
  expect(await names('_')).toEqual([]);
  expect(await names('sample sa')).toEqual(['Sample Plains, North Plains', 'Sample Plains, South Plains']);
  const { items } = await listReferences(services.db, { text: '', page: 9 }, TODAY);
  expect(items.map(({ coveredTo, verifiedTo, certificateNumber: last }) => [coveredTo, verifiedTo, last])).toEqual([
    ['2027-11-30', '2027-11-30', 'VC-3'],
    ['2026-12-01', '2026-12-01', 'NC-1'],
    [null, '2027-12-31', 'SC-1'],
    [null, null, null],
  ]);
  expect(await findCoverage(services.db, idOf('creek'), '2025-02-20')).toEqual({
    coveredTo: null,
    verifiedTo: '2027-11-30',
  });
  expect(await findCoverage(services.db, idOf('creek'), '2025-02-11')).toMatchObject({ coveredTo: '2025-02-11' });
});

test('while one types, names that begin with the text come first', async () => {
  const found = await findReferences(services.db, 'ridge', 5);
  expect(found).toEqual([
    { id: idOf('ridge'), name: 'Hollow Ridge', place: 'Ridge Siding', state: 'NSW', verifiedTo: '2026-12-01' },
  ]);
  expect((await findReferences(services.db, 's', 5)).map(({ name }) => name)).toEqual([
    'Sample Plains',
    'Sample Plains',
    'Hollow Ridge',
  ]);
  expect(await findReferences(services.db, '', 2)).toHaveLength(2);
});

test('what a form sends is one of the register, or text', async () => {
  const match = (weighbridge: string, reference_id = '') => matchReference(services.db, { weighbridge, reference_id });
  const line = 'Example Creek, Example Creek VIC';
  expect(await match(line, idOf('creek'))).toEqual({ referenceId: idOf('creek'), weighbridge: line });
  // Without scripts only the text is sent.
  expect(await match(` ${line} `)).toEqual({ referenceId: idOf('creek'), weighbridge: line });
  expect(await match('example creek')).toEqual({ referenceId: idOf('creek'), weighbridge: 'example creek' });
  // The text was changed after the choice.
  expect(await match('Hollow Ridge', idOf('creek'))).toMatchObject({ referenceId: idOf('ridge') });
  expect(await match('Port Kembla', idOf('creek'))).toEqual({ referenceId: null, weighbridge: 'Port Kembla' });
  // Two have this name: nobody guesses.
  expect(await match('Sample Plains')).toEqual({ referenceId: null, weighbridge: 'Sample Plains' });
  expect(await match('Sample Plains, South Plains SA')).toMatchObject({ referenceId: idOf('south') });
  expect(await match('', idOf('creek'))).toEqual({ referenceId: null, weighbridge: '' });
  expect(await match('Port Kembla', 'x')).toMatchObject({ referenceId: null });
});

test('the API finds weighbridges and shows one, without who did what', async () => {
  const api = apiApp(services);
  const json = async (path: string) => z.record(z.string(), z.unknown()).parse(await (await api.request(path)).json());
  expect(await json('/references?q=hollow')).toEqual({
    items: [
      { id: idOf('ridge'), name: 'Hollow Ridge', place: 'Ridge Siding', state: 'NSW', verified_to: '2026-12-01' },
    ],
  });
  expect(await json('/references?limit=3')).toMatchObject({ items: { length: 3 } });
  expect(await json('/references?limit=51')).toMatchObject({ status: 400, code: 'limit-invalid' });
  await addRepair(services.db, admin, {
    referenceId: idOf('creek'),
    on: '2025-02-15',
    note: 'Load cell 3 replaced',
    key: undefined,
  });
  const [, , first] = await listVerifications(services.db, idOf('creek'));
  const which = { referenceId: idOf('creek'), verificationId: first?.id ?? '' };
  await withdrawVerification(services.db, admin, { which, reason: 'A PRIVATE REASON', key: undefined });
  services.setNow('2026-11-21T09:00:00+11:00');
  const one = await json(`/references/${idOf('creek')}`);
  expect(one).toMatchObject({
    name: 'Example Creek',
    latitude: '-30',
    capacity_kg: 80_000,
    interval_kg: 20,
    verified_today: true,
    as_at: TODAY,
    verified_to: '2027-11-30',
    verifications: [
      { certificate_number: 'VC-3', from: '2026-12-01', to: '2027-11-30', certificate: null, withdrawn_at: null },
      { certificate_number: 'VC-2' },
      { certificate_number: 'VC-1', withdrawn_at: expect.stringMatching(/Z$/) },
    ],
    repairs: [{ on: '2025-02-15', note: 'Load cell 3 replaced' }],
  });
  expect(JSON.stringify(one)).not.toMatch(/PRIVATE|Mia|registry\.example/);
  for (const id of ['x', '0b0e7a52-7a70-4a6b-8a35-0000000000ff'])
    expect(await json(`/references/${id}`)).toMatchObject({ status: 404, code: 'reference-unknown' });
});
