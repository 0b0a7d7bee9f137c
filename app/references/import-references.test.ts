// Weighbridges from CSV: all lines or none, each problem at its line, and the same file again changes nothing.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import { verifyDatabase } from '#app/transparency-log/verify-database.server.ts';
import { insistOnLeaves } from '#test/cluster.ts';
import { addSignedIn } from '#test/people.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { importReferences } from './import-references.server.ts';
import { listReferences, listVerifications } from './queries.server.ts';
import { readReferenceCsv } from './reference-csv.server.ts';
import { withdrawVerification } from './withdraw-verification.server.ts';

const HEADER =
  'name,place,state,latitude,longitude,operator,capacity_kg,interval_kg,licence,certificate_number,from,to';
const FILE = [
  HEADER,
  'Example Creek,Example Creek,VIC,-30.0000,155,"Creek, Bulk Pty Ltd",80000,20,PW-1182,VC-76602,2024-02-12,2025-02-11',
  'example creek,EXAMPLE CREEK,vic,,,,,,,VC-88213,2026-03-10,',
  'Nowhere Siding,Nowhere Siding,WA,,,,,,,,,',
].join('\r\n');

let services: TestServices;
let admin: SignedIn;
beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  admin = await addSignedIn(services, 'admin', 'mia@registry.example', 'Mia');
  await insistOnLeaves(services.address, true);
});
afterAll(() => services.stop());

const run = async (text: string) => {
  const read = readReferenceCsv(text, '2026-11-21');
  return read.ok
    ? importReferences(services.db, admin, { references: read.references, key: undefined })
    : read.problems;
};
const sizes = async () => {
  const { size, leafSize } = await services.db.selectFrom('activityState').selectAll().executeTakeFirstOrThrow();
  return { activities: size, leaves: leafSize };
};
const all = () => listReferences(services.db, { text: '', page: 1 }, '2026-11-21');
const idOf = async (name: string) => (await all()).items.find((item) => item.name === name)?.id ?? '';

test('a file is taken whole, with one activity and an entry for each change; again it changes nothing', async () => {
  const before = await sizes();
  const nothing = { added: 0, updated: 0, unchanged: 0, periods: 0, withdrawn: 0 };
  expect(await run(FILE)).toEqual({ imported: true, counts: { ...nothing, added: 2, periods: 2 } });
  // Two weighbridges and two periods.
  expect(await sizes()).toEqual({ activities: before.activities + 1, leaves: before.leaves + 4 });
  expect((await all()).items).toMatchObject([
    {
      name: 'Example Creek',
      operator: 'Creek, Bulk Pty Ltd',
      capacityKg: 80_000,
      certificateNumber: 'VC-88213',
      verifiedTo: '2027-03-09',
      coveredTo: '2027-03-09',
    },
    { name: 'Nowhere Siding', state: 'WA', capacityKg: null, verifiedTo: null, coveredTo: null },
  ]);
  const again = await sizes();
  expect(await run(FILE)).toEqual({ imported: true, counts: { ...nothing, unchanged: 2 } });
  expect(await sizes()).toEqual(again);
  // One with a byte order mark, tabs and another order of columns.
  const pasted = '\uFEFFstate\tplace\tname\toperator\nVIC\tExample Creek\tExample Creek\tAnother Pty Ltd\n';
  expect(await run(pasted)).toEqual({ imported: true, counts: { ...nothing, updated: 1 } });
  expect((await all()).items[0]).toMatchObject({ operator: 'Another Pty Ltd', capacityKg: 80_000 });
  const findings: string[] = [];
  await verifyDatabase(services.db, (finding) => findings.push(finding));
  expect(findings).toEqual([]);
});

test('a period that was withdrawn here is not revived; one with another end is refused at its line', async () => {
  const { db } = services;
  const referenceId = await idOf('Example Creek');
  const [period] = await listVerifications(db, referenceId);
  const which = { referenceId, verificationId: period?.id ?? '' };
  await withdrawVerification(db, admin, { which, reason: 'Wrong.', key: undefined });
  expect(await run(FILE)).toMatchObject({ counts: { periods: 0, withdrawn: 1 } });
  const before = await sizes();
  const other = `${HEADER}\nNew One,Somewhere,SA,,,,,,,,,\nExample Creek,Example Creek,VIC,,,,,,,VC-76602,2024-02-12,2025-02-10`;
  expect(await run(other)).toEqual({
    imported: false,
    reason: 'problems',
    problems: [
      { line: 3, message: 'to: VC-76602 is recorded to 2025-02-11. Withdraw that period first, if it is wrong.' },
    ],
  });
  expect(await run(`${HEADER}\nNowhere Siding,Nowhere Siding,WA,-20,,,,,,,,`)).toMatchObject([{ line: 2 }]);
  expect(await sizes()).toEqual(before);
  // With the right days it may come again.
  const right = `${HEADER}\nExample Creek,Example Creek,VIC,,,,,,,VC-88213,2026-03-10,2026-12-31`;
  expect(await run(right)).toMatchObject({ counts: { periods: 1, withdrawn: 0 } });
});

test('a thousand lines are one transaction; one more is refused', async () => {
  const lines = Array.from({ length: 1000 }, (_, n) => `Bulk ${n},Place ${n % 7},NT,C-${n},2026-01-01`);
  const text = (of: readonly string[]) => ['name,place,state,certificate_number,from', ...of].join('\n');
  expect(await run(text([...lines, 'One more,X,NT,,']))).toEqual([
    { line: 1002, message: expect.stringMatching(/^At most 1,000 lines at once\./) },
  ]);
  expect(await run(text(lines))).toMatchObject({ imported: true, counts: { added: 1000, periods: 1000 } });
  expect(await run(text(lines))).toMatchObject({ imported: true, counts: { unchanged: 1000, periods: 0 } });
});

const at = (text: string) => {
  const read = readReferenceCsv(text, '2026-11-21');
  return read.ok ? [] : read.problems.map(({ line, message }) => `${line}: ${message}`);
};
test.each([
  ['', '1: Paste the lines of a table, or choose a file.'],
  ['name,place\nA,B', '1: The header needs the column “state”.'],
  ['name,place,state,colour\nA,B,VIC,red', '1: There is no column “colour”. See the columns above.'],
  ['name,place,state,name\nA,B,VIC,A', '1: The header has the column “name” twice.'],
  ['name,place,state', '1: There is no line below the header.'],
  ['name,place,state,\nA,B,VIC,,C', '2: 1 filled cell more than the heading has columns.'],
  [
    'name,place,state\n\nA,"B,VIC',
    '3: It opens a quotation mark that nothing closes. A quotation mark in a cell in quotes is written twice.',
  ],
  ['name,place,state\nA,B,Victoria', '2: state: Choose a state or territory.'],
  ['name,place,state,from\nA,B,VIC,2026-01-01', '2: certificate_number: Enter the number on the certificate.'],
  [
    'name,place,state,certificate_number,from\nA,B,VIC,C,1/13/2026',
    '2: from: There is no month 13. Day first: a date such as 2026-03-10 or 10/03/2026.',
  ],
  [
    'name,place,state,certificate_number,from,to\nA,B,VIC,C,2026-01-02,2026-01-01',
    '2: to: The last day is before the first.',
  ],
  ['name,place,state,latitude,longitude\nA,B,VIC,-30,', '2: longitude: Give both latitude and longitude, or neither.'],
  ['name,place,state,capacity_kg\nA,B,VIC,80 t', '2: capacity_kg: Enter whole kilograms from 1 to 500,000.'],
  [
    'name,place,state,capacity_kg\nA,B,VIC,80000\na,b,vic,60000',
    '3: capacity_kg: Another line of this weighbridge, from line 2 on, gives another value.',
  ],
  [
    'name,place,state,certificate_number,from,to\nA,B,VIC,C,2026-01-01,2026-12-31\nA,B,VIC,C,2026-01-01,2026-11-30',
    '3: to: Line 2 gives another last day for this period.',
  ],
])('%j: %s', (text, problem) => {
  expect(at(text)).toEqual([problem]);
});

test('every line is checked: each problem is said at once', () => {
  expect(at('name,place,state\n,B,VIC\nA,,VIC\nA,B,XX')).toEqual([
    '2: name: A name is required.',
    '3: place: A place is required: the town or locality.',
    '4: state: Choose a state or territory.',
  ]);
});
