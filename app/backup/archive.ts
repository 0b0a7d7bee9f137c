// What a backup archive is made of: a tar file, its parts in this order (docs/backup-format.md has it for others).
//
//   manifest.json                       what it is, and which tables with which columns
//   tables/<table>.<n>.copy.gz          rows as COPY text, some megabytes a part, parents before children
//   files/<storage key>                 each stored file and thumbnail
//   log/high-water                      the last note that the public log's publisher had signed; its time is when
//   secrets/log-key, secrets/auth-secret only when they were asked for
//   totals.json                         how much of everything there is
//   sums/<n>.sha256                     among them: the hash of each part since the one before
//   sha256                              the hash of every byte before it
import { z } from 'zod';

export const FORMAT = 'truck-scale-registry-backup';
export const FORMAT_VERSION = 1;
export const SEAL_NAME = 'sha256';
/** What follows the seal's header: 64 digits and a newline, filled up, and the end of a tar file. */
export const SEAL_BYTES = 1536;
export const MANIFEST_PART = 'manifest.json';
export const TOTALS_PART = 'totals.json';
export const HIGH_WATER_PART = 'log/high-water';
export const SECRET_PARTS = ['log-key', 'auth-secret'] as const;
export const LISTS = 'sums/';
const numbered = (nth: number) => String(nth).padStart(6, '0');
export const rowsName = (table: string, nth: number) => `tables/${table}.${numbered(nth)}.copy.gz`;
export const listName = (nth: number) => `${LISTS}${numbered(nth)}.sha256`;
/** Parts between two lists of hashes, so that anybody who checks them never holds more. */
export const PARTS_A_LIST = 1000;

const count = z.number().int().nonnegative();
const columnName = z.string().min(1);
const hash = z.string().regex(/^[0-9a-f]{64}$/);

export const manifestSchema = z.object({
  format: z.literal(FORMAT),
  formatVersion: z.literal(FORMAT_VERSION),
  product: z.string(),
  createdAt: z.iso.datetime(),
  postgresql: z.string(),
  registryName: z.string(),
  timeZone: z.string(),
  migrations: z.array(z.object({ name: z.string(), hash })),
  tables: z.array(z.object({ name: z.string().min(1), columns: z.array(columnName).min(1) })),
  log: z.object({ entries: count, verifierKey: z.string().nullable() }),
});
/** The beginning of an archive. `log.entries`: of the snapshot, signed or not. */
export type Manifest = z.infer<typeof manifestSchema>;

export const totalsSchema = z.object({
  rows: z.record(z.string(), count),
  /** As they stood after the rows were read: never behind them. Decimal, as they may pass 2^53. */
  sequences: z.array(
    z.object({ table: z.string(), column: z.string(), lastValue: z.string().regex(/^\d+$/), isCalled: z.boolean() }),
  ),
  files: z.object({ count, bytes: count, missing: count, altered: count }),
});
/** The end of an archive. `files.missing`, `files.altered`: what was wrong in the store already. */
export type Totals = z.infer<typeof totalsSchema>;

export type Secret = { kind: 'secret'; name: (typeof SECRET_PARTS)[number]; text: string };
/** One part. A table's rows come unpacked. */
export type Part =
  | { kind: 'rows'; table: string; rows: number; text: Uint8Array }
  | { kind: 'file'; key: string; bytes: Uint8Array }
  | { kind: 'high-water'; bytes: Uint8Array; signedAt: Date }
  | Secret;

/** Why an archive is not restored: a sentence for the operator. */
export class ArchiveError extends Error {}
