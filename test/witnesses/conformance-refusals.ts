// Requests that a witness must refuse, for its conformance. Each one meets a log of which five leaves are cosigned,
// would be right but for its one fault, and must leave the witness's record as it was.
import { type Case, expectRecorded, expectRefused, grow, oneLog, originOf, submit } from './conformance-case.ts';
import { checkpointText, type ConformanceLog, makeLog, requestBody, signNote } from './conformance-log.ts';
import { formatSignature, keyFromSeed, LOG_KEY, signatureLine, WITNESS_KEY } from './signed-note.ts';

// `status` is the one that the specification names; 'any' is each 4xx, where it names none.
type Refusal = { name: string; status: number | 'any'; body: (log: ConformanceLog) => string | Buffer };

const OTHER = Buffer.alloc(32, 7);

const SIGNATURES: Refusal[] = [
  {
    name: 'no signature of the log',
    status: 403,
    body: (log) => resigned(log, signatureLine(stranger(log), log.text(8))),
  },
  {
    name: 'a signature over another text',
    status: 403,
    body: (log) => resigned(log, signatureLine(log.key, log.text(7))),
  },
  {
    name: 'a failing signature of the log beside a right one',
    status: 403,
    body: (log) => resigned(log, signatureLine(log.key, log.text(8)) + signatureLine(log.key, log.text(7))),
  },
  {
    name: 'a right signature of the log after a failing one',
    status: 403,
    body: (log) => resigned(log, signatureLine(log.key, log.text(7)) + signatureLine(log.key, log.text(8))),
  },
  {
    name: 'a signature that is cut short',
    status: 403,
    body: (log) => resigned(log, formatSignature(log.origin, log.key.id, Buffer.alloc(63, 1))),
  },
  {
    name: 'the right signature under another name',
    status: 403,
    body: (log) => resigned(log, signatureLine({ ...log.key, name: `${log.origin}/other` }, log.text(8))),
  },
  {
    name: 'the right signature under another key ID',
    status: 403,
    body: (log) => resigned(log, signatureLine({ ...log.key, id: Buffer.from('00000001', 'hex') }, log.text(8))),
  },
  {
    name: "the log's key as a key of cosignatures",
    status: 403,
    body: (log) => {
      const key = keyFromSeed(log.origin, WITNESS_KEY, `conformance log ${log.origin}`);
      return resigned(log, signatureLine(key, log.text(8)));
    },
  },
  { name: 'no signature at all', status: 'any', body: (log) => requestBody('5', log.proof(5, 8), `${log.text(8)}\n`) },
  { name: 'no empty line before the signature', status: 'any', body: (log) => edited(log, '\n\n— ', '\n— ') },
  { name: 'a hyphen for the dash of the signature', status: 'any', body: (log) => edited(log, '— ', '- ') },
  { name: 'a signature that is no base64', status: 'any', body: (log) => resigned(log, `— ${log.origin} !!!!\n`) },
  { name: 'a line after the signatures', status: 'any', body: (log) => `${log.request(5, 8)}more\n` },
  { name: 'an empty line after the signatures', status: 'any', body: (log) => `${log.request(5, 8)}\n` },
];

const TREES: Refusal[] = [
  { name: 'an old size above the size', status: 400, body: (log) => requestBody('5', [], log.checkpoint(3)) },
  { name: 'no proof', status: 422, body: (log) => requestBody('5', [], log.checkpoint(8)) },
  { name: 'a wrong hash first in the proof', status: 422, body: (log) => proven(log, (proof) => proof.with(0, OTHER)) },
  {
    name: 'a wrong hash last in the proof',
    status: 422,
    body: (log) => proven(log, (proof) => [...proof.slice(0, -1), OTHER]),
  },
  { name: 'a proof without its first hash', status: 422, body: (log) => proven(log, (proof) => proof.slice(1)) },
  { name: 'a proof without its last hash', status: 422, body: (log) => proven(log, (proof) => proof.slice(0, -1)) },
  { name: 'a proof with a hash too many', status: 422, body: (log) => proven(log, (proof) => [...proof, OTHER]) },
  { name: 'a proof backwards', status: 422, body: (log) => proven(log, (proof) => proof.toReversed()) },
  {
    name: 'a proof from another size',
    status: 422,
    body: (log) => requestBody('5', log.proof(6, 8), log.checkpoint(8)),
  },
  { name: 'a larger tree of another history', status: 422, body: (log) => fork(log).request(5, 8) },
  { name: 'a tree of the same size and another history', status: 409, body: (log) => fork(log).request(5, 5) },
  // The hashes are right, the number beside them is not. (Seven would do: the last node of eight leaves may be one
  // leaf.)
  ...[6, 9, 16, 64].map((size): Refusal => ({
    name: `the root and the proof of 8 leaves as those of ${size}`,
    status: 422,
    body: (log) => spelled(log, { size: `${size}` }),
  })),
  {
    name: 'the root and the proof of 16 leaves as those of 8',
    status: 422,
    body: (log) => requestBody('5', log.proof(5, 16), log.checkpoint(8, { root: log.root(16) })),
  },
  {
    name: 'a proof where nothing grew',
    status: 422,
    body: (log) => requestBody('5', [log.root(5)], log.checkpoint(5)),
  },
  { name: '64 hashes', status: 'any', body: (log) => requestBody('5', Array(64).fill(OTHER), log.checkpoint(8)) },
];

const CHECKPOINTS: Refusal[] = [
  { name: 'a size with a leading zero', status: 'any', body: (log) => spelled(log, { size: '08' }) },
  { name: 'a size with a sign', status: 'any', body: (log) => spelled(log, { size: '+8' }) },
  { name: 'a size in hexadecimal', status: 'any', body: (log) => spelled(log, { size: '0x8' }) },
  { name: 'a size in full-width digits', status: 'any', body: (log) => spelled(log, { size: '８' }) },
  { name: 'a space after the size', status: 'any', body: (log) => spelled(log, { size: '8 ' }) },
  { name: 'a root of 31 bytes', status: 'any', body: (log) => spelled(log, { root: log.root(8).subarray(1) }) },
  {
    name: 'a root of 33 bytes',
    status: 'any',
    body: (log) => spelled(log, { root: Buffer.concat([log.root(8), OTHER.subarray(31)]) }),
  },
  { name: 'an empty extension line', status: 'any', body: (log) => spelled(log, { extensions: ['more', '', 'more'] }) },
  { name: 'a tab in an extension line', status: 'any', body: (log) => spelled(log, { extensions: ['a\tb'] }) },
  {
    name: 'a carriage return in an extension line',
    status: 'any',
    body: (log) => spelled(log, { extensions: ['a\r'] }),
  },
  { name: 'a zero byte in an extension line', status: 'any', body: (log) => spelled(log, { extensions: ['a\0'] }) },
  {
    name: 'no root',
    status: 'any',
    body: (log) => requestBody('5', log.proof(5, 8), signNote(log.key, `${log.origin}\n8\n`)),
  },
];

const LINES: Refusal[] = [
  { name: 'an empty body', status: 'any', body: () => '' },
  { name: 'only the checkpoint', status: 'any', body: (log) => log.checkpoint(8) },
  { name: 'no old line', status: 'any', body: (log) => edited(log, 'old 5\n', '') },
  { name: 'an old line without a size', status: 'any', body: (log) => edited(log, 'old 5', 'old') },
  ...['05', '+5', '-5', '5.0', '5e0', '0x5', ' 5', '5 ', '\t5', '5\r', '5\t', '５', '5 5'].map((old): Refusal => ({
    name: `the old size ${JSON.stringify(old)}`,
    status: 'any',
    body: (log) => edited(log, 'old 5', `old ${old}`),
  })),
  { name: 'a capital letter in the old line', status: 'any', body: (log) => edited(log, 'old', 'Old') },
  { name: 'a tab in the old line', status: 'any', body: (log) => edited(log, 'old 5', 'old\t5') },
  { name: 'a space before the old line', status: 'any', body: (log) => ` ${log.request(5, 8)}` },
  { name: 'a byte order mark', status: 'any', body: (log) => `\uFEFF${log.request(5, 8)}` },
  { name: 'an empty line before the old line', status: 'any', body: (log) => `\n${log.request(5, 8)}` },
  { name: 'no empty line before the checkpoint', status: 'any', body: (log) => edited(log, '\n\n', '\n') },
  { name: 'two empty lines before the checkpoint', status: 'any', body: (log) => edited(log, '\n\n', '\n\n\n') },
  { name: 'no newline at the end', status: 'any', body: (log) => log.request(5, 8).slice(0, -1) },
  { name: 'carriage returns', status: 'any', body: (log) => log.request(5, 8).replaceAll('\n', '\r\n') },
  {
    name: 'a proof line without its padding',
    status: 'any',
    body: (log) => spelledProof(log, (line) => line.replace('=', '')),
  },
  { name: 'a space after a proof line', status: 'any', body: (log) => spelledProof(log, (line) => `${line} `) },
  { name: 'a proof line in hexadecimal', status: 'any', body: (log) => spelledProof(log, inHex) },
  { name: 'a proof line in another alphabet', status: 'any', body: urlAlphabet },
  {
    name: 'a proof line of 31 bytes',
    status: 'any',
    body: (log) => proven(log, (proof) => proof.with(0, proof[0]!.subarray(1))),
  },
  {
    name: 'a proof line of three bytes beside the right ones',
    status: 'any',
    body: (log) => requestBody('5', [...log.proof(5, 8), 'AAAA'], log.checkpoint(8)),
  },
  {
    name: 'what is no UTF-8',
    status: 'any',
    body: (log) => Buffer.concat([Buffer.from(`${log.request(5, 8)}— x`), Buffer.of(0xff), Buffer.from(' AAAAAAAA\n')]),
  },
];

export const REFUSALS: Case[] = [
  ...[...SIGNATURES, ...TREES, ...CHECKPOINTS, ...LINES].map(({ name, status, body }) =>
    oneLog(`refuses ${name} with ${status === 'any' ? 'some 4xx' : status}`, async (witness, log) => {
      await grow(witness, log, 0, 5);
      expectRefused(await submit(witness, body(log)), status);
      await expectRecorded(witness, log, 5);
      // The same request without the fault is right.
      await grow(witness, log, 5, 8);
    }),
  ),
  signedByAnotherLog('refuses the signature of another log that it knows with 403'),
];

function signedByAnotherLog(name: string): Case {
  const [log, other] = [makeLog(originOf(name)), makeLog(`${originOf(name)}/other`)];
  const run: Case['run'] = async (witness) => {
    await grow(witness, log, 0, 5);
    expectRefused(await submit(witness, resigned(log, signatureLine(other.key, log.text(8)))), 403);
    await expectRecorded(witness, log, 5);
  };
  return { name, logs: [log.key.vkey, other.key.vkey], run };
}

// Another key of the same name.
function stranger(log: ConformanceLog): ReturnType<typeof keyFromSeed> {
  return keyFromSeed(log.origin, LOG_KEY, `a stranger as ${log.origin}`);
}

function fork(log: ConformanceLog): ConformanceLog {
  return makeLog(log.origin, 'fork');
}

function resigned(log: ConformanceLog, signatures: string): string {
  return requestBody('5', log.proof(5, 8), `${log.text(8)}\n${signatures}`);
}

function proven(log: ConformanceLog, change: (proof: Buffer[]) => Buffer[]): string {
  return requestBody('5', change(log.proof(5, 8)), log.checkpoint(8));
}

function spelledProof(log: ConformanceLog, spell: (line: string) => string): string {
  const [first, ...rest] = log.proof(5, 8).map((hash) => hash.toString('base64'));
  return requestBody('5', [spell(first ?? ''), ...rest], log.checkpoint(8));
}

function inHex(line: string): string {
  return Buffer.from(line, 'base64').toString('hex');
}

// From the first size whose proof has a character in which the two alphabets differ.
function urlAlphabet(log: ConformanceLog): string {
  for (let size = 6; size < 100; size++) {
    const lines = log.proof(5, size).map((hash) => hash.toString('base64'));
    if (!lines.some((line) => /[+/]/.test(line))) continue;
    const spelled = lines.map((line) => line.replaceAll('+', '-').replaceAll('/', '_'));
    return requestBody('5', spelled, log.checkpoint(size));
  }
  throw new Error('No proof of this log has such a character.');
}

// A checkpoint that the log signs as it is written here.
function spelled(log: ConformanceLog, change: { size?: string; root?: Buffer; extensions?: string[] }): string {
  const { size = '8', root = log.root(8), extensions } = change;
  return requestBody('5', log.proof(5, 8), signNote(log.key, checkpointText(log.origin, size, root, extensions)));
}

// The right request with the first place of one text changed to another.
function edited(log: ConformanceLog, from: string, to: string): string {
  return log.request(5, 8).replace(from, () => to);
}
