// Checks that an archive has the parts that it lists, in their order, each with its hash.
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { z } from 'zod';
import { isKey, mayHold } from '#app/platform/storage/file-store.server.ts';
import {
  ArchiveError,
  FORMAT,
  FORMAT_VERSION,
  HIGH_WATER_PART,
  LISTS,
  listName,
  type Manifest,
  MANIFEST_PART,
  manifestSchema,
  type Part,
  rowsName,
  SECRET_PARTS,
  TOTALS_PART,
  type Totals,
  totalsSchema,
} from './archive.ts';

const UNPACKED_MAX_BYTES = 256 * 1024 * 1024;
const NEWLINE = 0x0a;
const FILES = 'files/';
const decompress = promisify(gunzip);

export function damaged(what: string): ArchiveError {
  return new ArchiveError(`The archive is damaged and nothing of it is restored: ${what.replace(/\.$/, '')}.`);
}

export class PartChecker {
  #manifest: Manifest | undefined;
  #totals: Totals | undefined;
  #table = { place: -1, parts: 0 };
  readonly #rows: Record<string, number> = {};
  #files = { count: 0, bytes: 0 };
  #sums = '';
  #lists = 0;
  /** Keys of files that name other bytes than they have. */
  readonly misnamed: string[] = [];

  /** Of the archive. It is its first part. */
  get manifest(): Manifest {
    if (this.#manifest === undefined) throw damaged('it does not begin with a manifest');
    return this.#manifest;
  }

  /** Checks the next part. Undefined where it is for the archive's own use. Throws ArchiveError. */
  async check(name: string, bytes: Buffer, modifiedAt = new Date(0)): Promise<Part | undefined> {
    if (name.startsWith(LISTS)) return this.#checkList(name, bytes);
    const sum = createHash('sha256').update(bytes).digest('hex');
    this.#sums += `${sum}  ${name}\n`;
    if (this.#manifest === undefined) {
      if (name !== MANIFEST_PART) throw new ArchiveError('This is not a backup of a registry.');
      this.#manifest = parseManifest(bytes);
      for (const { name } of this.#manifest.tables) this.#rows[name] = 0;
      return undefined;
    }
    if (this.#totals !== undefined) throw damaged(`${name} comes after its totals`);
    if (name.startsWith(FILES)) {
      const key = name.slice(FILES.length);
      if (!isKey(key)) throw damaged('the name of one of its files is none');
      this.#files = { count: this.#files.count + 1, bytes: this.#files.bytes + bytes.length };
      if (!mayHold(key, sum)) this.misnamed.push(key);
      return { kind: 'file', key, bytes };
    }
    if (name === HIGH_WATER_PART) return { kind: 'high-water', bytes, signedAt: modifiedAt };
    for (const secret of SECRET_PARTS)
      if (name === `secrets/${secret}`) return { kind: 'secret', name: secret, text: bytes.toString() };
    if (name !== TOTALS_PART) return this.#checkRows(this.#manifest, name, bytes);
    this.#totals = parseTotals(bytes);
    return undefined;
  }

  /** Its totals. Throws where something is missing. */
  end(): Totals {
    const totals = this.#totals;
    if (totals === undefined) throw damaged('it has no end');
    if (this.#sums !== '') throw damaged('the hashes of its last parts are missing');
    for (const { name } of this.manifest.tables)
      if (totals.rows[name] !== this.#rows[name]) throw damaged(`rows of ${name} are missing`);
    if (totals.files.count !== this.#files.count || totals.files.bytes !== this.#files.bytes)
      throw damaged('files are missing');
    return totals;
  }

  #checkList(name: string, bytes: Buffer): undefined {
    this.#lists += 1;
    if (name !== listName(this.#lists) || !bytes.equals(Buffer.from(this.#sums)))
      throw damaged(`the parts before ${name} do not have the hashes that it says`);
    this.#sums = '';
  }

  async #checkRows({ tables }: Manifest, name: string, bytes: Buffer): Promise<Part> {
    const { place, parts } = this.#table;
    const following = tables.findIndex((table, index) => index > place && name === rowsName(table.name, 1));
    if (name === rowsName(tables[place]?.name ?? '', parts + 1)) this.#table.parts += 1;
    else if (following !== -1) this.#table = { place: following, parts: 1 };
    else throw new ArchiveError(`The archive has a part that this version does not know: ${name}.`);
    const table = tables[this.#table.place]?.name ?? '';
    const text = await decompress(bytes, { maxOutputLength: UNPACKED_MAX_BYTES }).catch(() => {
      throw damaged(`${name} cannot be unpacked`);
    });
    const rows = countRows(text);
    this.#rows[table] = (this.#rows[table] ?? 0) + rows;
    return { kind: 'rows', table, rows, text };
  }
}

/** Rows of COPY text: each ends with a newline, and one within a value is written otherwise. */
export function countRows(text: Uint8Array): number {
  let rows = 0;
  for (let at = text.indexOf(NEWLINE); at !== -1; at = text.indexOf(NEWLINE, at + 1)) rows += 1;
  return rows;
}

function parseManifest(bytes: Buffer): Manifest {
  const json = parseJson(bytes);
  const head = z.object({ format: z.string(), formatVersion: z.number() }).safeParse(json);
  if (!head.success || head.data.format !== FORMAT) throw new ArchiveError('This is not a backup of a registry.');
  if (head.data.formatVersion !== FORMAT_VERSION)
    throw new ArchiveError(
      `The archive has format ${head.data.formatVersion}; this version of the registry reads ${FORMAT_VERSION}. Restore it with the version that wrote it, or a newer one.`,
    );
  const parsed = manifestSchema.safeParse(json);
  if (!parsed.success) throw damaged('its manifest is none');
  return parsed.data;
}

function parseTotals(bytes: Buffer): Totals {
  const parsed = totalsSchema.safeParse(parseJson(bytes));
  if (!parsed.success) throw damaged('its totals are none');
  return parsed.data;
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    throw new ArchiveError('This is not a backup of a registry, or its beginning is damaged.');
  }
}
