// A small archive with a part of each kind, for the tests of who reads it.
import { FORMAT, HIGH_WATER_PART, MANIFEST_PART, rowsName, TOTALS_PART } from '#app/backup/archive.ts';
import { ArchiveWriter } from '#app/backup/write-archive.server.ts';

export const SMALL_MANIFEST = {
  format: FORMAT,
  formatVersion: 1,
  product: '0.1.0',
  createdAt: '2026-11-21T00:00:00.000Z',
  postgresql: '18.4',
  registryName: 'Test',
  timeZone: 'Australia/Sydney',
  migrations: [],
  tables: [
    { name: 'person', columns: ['id', 'email'] },
    { name: 'vehicle', columns: ['rego', 'notes'] },
  ],
  log: { entries: 1, verifierKey: null },
};
export const SMALL_TOTALS = {
  rows: { person: 0, vehicle: 3 },
  sequences: [{ table: 'actor', column: 'id', lastValue: '7', isCalled: true }],
  files: { count: 1, bytes: 5, missing: 0, altered: 0 },
};
export const LONG_KEY = `admins/${'a'.repeat(240)}@site,com/${'f'.repeat(64)}.jpeg`;

type Addition = (writer: ArchiveWriter) => Promise<void>;

/** Writes it as `file`. `change` puts other parts in the place of those with their names. */
export async function writeSmallArchive(file: string, change: Record<string, Addition> = {}): Promise<void> {
  const parts: Record<string, Addition> = {
    [MANIFEST_PART]: (writer) => writer.addJson(MANIFEST_PART, SMALL_MANIFEST),
    first: (writer) => writer.addCompressed(rowsName('vehicle', 1), Buffer.from('ABC123\tone\nXYZ789\ttwo\\nlines\n')),
    second: (writer) => writer.addCompressed(rowsName('vehicle', 2), Buffer.from('ZZZ\t\\N\n')),
    file: (writer) => writer.add(`files/${LONG_KEY}`, Buffer.from('bytes')),
    [HIGH_WATER_PART]: (writer) => writer.add(HIGH_WATER_PART, Buffer.from('a note')),
    secret: (writer) => writer.add('secrets/auth-secret', Buffer.from('a secret')),
    [TOTALS_PART]: (writer) => writer.addJson(TOTALS_PART, SMALL_TOTALS),
    ...change,
  };
  const writer = await ArchiveWriter.begin(file, new Date('2026-11-21T00:00:00Z'));
  for (const add of Object.values(parts)) await add(writer);
  await writer.finish();
}
