// A name is found with whatever apostrophe, hyphen, blank or capitals it was typed, in each search that has names.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listStaff } from '#app/admins/queries.server.ts';
import { listApplications } from '#app/applications/queries.server.ts';
import { logFilter } from '#app/logs/log-filter.server.ts';
import { parseLogQuery } from '#app/logs/log-query.ts';
import { addReference } from '#app/references/add-reference.server.ts';
import { matchReference } from '#app/references/match-reference.server.ts';
import { findReferences, listReferences } from '#app/references/queries.server.ts';
import { listTechnicians } from '#app/technicians/queries.server.ts';
import { parseListAddress } from '#app/ui/list-address.ts';
import { parseListQuery } from '#app/vehicles/list-query.ts';
import { listVehicles } from '#app/vehicles/list-vehicles.server.ts';
import { FIRST_POLICY } from '#app/policy/policy.ts';
import { queuePage } from '#app/visit-queue/queue-page.server.ts';
import { registerVehicle } from '#app/vehicles/register-vehicle.server.ts';
import { addSeen } from './people.ts';
import { referenceInput } from './references.ts';
import { createTestServices, type TestServices } from './services.ts';
import { NO_FILES, vehicleInput } from './vehicles.ts';
import { recordHonestSet } from './visits.ts';

const STORED = ["O'Brien-Smith", 'O’Brien–Smith', 'Oʼbrien‑smith'];
const TYPED = [...STORED, 'o`BRIEN', 'O\u200b‘Brien', "\u200e o'brien-SMITH ", 'o’brien'];
const OTHERS = ['OxBrien', 'O Brien', '%', "'zz"];

let services: TestServices;
let whoseVisits: Awaited<ReturnType<typeof addSeen>>;
beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  const { db } = services;
  const admin = await addSeen(services, 'admin', 'first@registry.example', 'First');
  whoseVisits = admin;
  for (const [n, name] of STORED.entries()) {
    await addSeen(services, 'admin', `admin${n}@registry.example`, name);
    const tech = await addSeen(services, 'technician', `tech${n}@scales.example`, name);
    await sql`update technician set company_name = ${name} where id = ${tech.recordId}`.execute(db);
    await sql`insert into application (email, company_name) values (${`new${n}@x.example`}, ${name})`.execute(db);
    const input = vehicleInput({ rego: `XV0${n}KL`, company_name: name, axle_groups: 'STEER DRIVE' });
    await registerVehicle(services, admin, { input, choice: NO_FILES, key: undefined });
    await recordHonestSet(services, tech, `XV0${n}KL`);
  }
  await sql`update visit set state = 'waits'`.execute(db);
  const input = referenceInput({ name: 'O’Brien–Smith Quarry' });
  await addReference(db, admin, { input, key: undefined });
});
afterAll(() => services.stop());

const address = (text: string) => parseListAddress(new URLSearchParams({ q: text }));
const SEARCHES: Record<string, (text: string) => Promise<number>> = {
  administrators: async (text) => (await listStaff(services.db, 'admin', address(text))).total,
  technicians: async (text) => (await listTechnicians(services.db, address(text))).total,
  applications: async (text) => (await listApplications(services.db, address(text))).total,
  companies: async (text) => {
    const query = parseListQuery(new URLSearchParams({ company: text }));
    return (await listVehicles(services.db, query, { today: '2026-11-21', policy: FIRST_POLICY })).total;
  },
  'visits to decide': async (text) =>
    (await queuePage(services, whoseVisits, { state: 'waits', ...address(text) })).list.total,
  'who acted': async (text) => {
    const filter = await logFilter(services.db, parseLogQuery(new URLSearchParams({ who: text })), 'Australia/Sydney');
    if (!filter.ok || filter.where === undefined) throw new Error('it is a filter');
    const { rows } = await sql<{ n: number }>`select count(distinct actor_id) as n from activity_log
      where ${filter.where}`.execute(services.db);
    return rows[0]?.n ?? 0;
  },
};

test.each(Object.entries(SEARCHES))('%s', async (_, count) => {
  for (const text of TYPED) expect([text, await count(text)]).toEqual([text, STORED.length]);
  for (const text of OTHERS) expect([text, await count(text)]).toEqual([text, 0]);
});

test('weighbridges: found, matched, and not added again', async () => {
  const { db } = services;
  for (const text of TYPED) {
    expect((await listReferences(db, address(text), '2026-11-21')).total).toBe(1);
    expect(await findReferences(db, text, 5)).toHaveLength(1);
  }
  for (const name of STORED) {
    const weighbridge = `${name} quarry`;
    expect((await matchReference(db, { weighbridge, reference_id: '' })).referenceId).not.toBeNull();
    const input = referenceInput({ name: weighbridge });
    expect(await addReference(db, whoseVisits, { input, key: undefined })).toMatchObject({
      added: false,
      reason: 'exists',
    });
  }
});
