// Proof files (c2sp.org/tlog-proof): all that is needed to verify offline, for ever, that an entry is in a log. The
// optional extra data hold the entry itself and what opens its commitments; the specification leaves them to us.
import { type Bytes, formatBase64, Malformed, parseBase64, parseDecimal, parseUtf8, utf8 } from './bytes.ts';
import { canonicalJson, parseCanonicalJson } from './canonical-json.ts';
import type { Opening } from './commitment.ts';
import { HASH_BYTES } from './sha256.ts';
import { MAX_NOTE_BYTES } from './signed-note.ts';

/** `checkpoint` is the signed note, verbatim. Nothing is verified yet. */
export type TlogProof = { index: number; hashes: Bytes[]; checkpoint: Bytes; extra?: Bytes };

const FIRST_LINE = 'c2sp.org/tlog-proof@v1';
// A tree of 2^53 leaves is 53 high.
const MAX_HASHES = 64;
const MAX_PROOF_BYTES = MAX_NOTE_BYTES * 2;

export function formatTlogProof({ index, hashes, checkpoint, extra }: TlogProof): string {
  const head = [
    FIRST_LINE,
    ...(extra === undefined ? [] : [`extra ${formatBase64(extra)}`]),
    `index ${index}`,
    ...hashes.map(formatBase64),
  ];
  return `${head.join('\n')}\n\n${parseUtf8(checkpoint)}`;
}

export function parseTlogProof(bytes: Uint8Array): TlogProof {
  if (bytes.length > MAX_PROOF_BYTES) throw new Malformed('it is too long for a proof file');
  const text = parseUtf8(bytes);
  const end = text.indexOf('\n\n');
  const [first, ...lines] = text.slice(0, Math.max(0, end)).split('\n');
  if (first !== FIRST_LINE) throw new Malformed(`a proof file begins with ${FIRST_LINE}`);
  const extra = lines[0]?.startsWith('extra ') === true ? lines.shift()?.slice('extra '.length) : undefined;
  const index = lines.shift();
  if (index?.startsWith('index ') !== true) throw new Malformed('a proof file names the index of its entry');
  if (lines.length > MAX_HASHES) throw new Malformed('a proof has at most 64 hashes');
  return {
    index: parseDecimal(index.slice('index '.length)),
    hashes: lines.map(parseHash),
    checkpoint: utf8(text.slice(end + 2)),
    ...(extra === undefined ? {} : { extra: parseBase64(extra) }),
  };
}

function parseHash(line: string): Bytes {
  const hash = parseBase64(line);
  if (hash.length !== HASH_BYTES) throw new Malformed('a hash of a proof has 32 bytes');
  return hash;
}

/** Our extra data: the leaf's bytes, and openings of its commitments by field. They may be for some fields only. */
export type ProofExtra = { leaf: Bytes; openings: ReadonlyMap<string, Opening> };

export function formatProofExtra({ leaf, openings }: ProofExtra): Bytes {
  return utf8(canonicalJson({ leaf: parseUtf8(leaf), openings: Object.fromEntries(openings) }));
}

export function parseProofExtra(bytes: Uint8Array): ProofExtra {
  const value = parseCanonicalJson(parseUtf8(bytes));
  const { leaf, openings, ...others } = members(value);
  if (typeof leaf !== 'string' || Object.keys(others).length > 0)
    throw new Malformed('the extra data of a proof are leaf and openings');
  return {
    leaf: utf8(leaf),
    openings: new Map(Object.entries(members(openings)).map(([field, opening]) => [field, parseOpening(opening)])),
  };
}

function parseOpening(opening: unknown): Opening {
  const { salt, value, ...others } = members(opening);
  if (typeof salt !== 'string' || value === undefined || Object.keys(others).length > 0)
    throw new Malformed('an opening is salt and value');
  return { salt, value };
}

function members(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Malformed('an object is missing');
  return { ...value };
}
