import { expect, test } from 'vitest';
import { formatBase64, Malformed, parseUtf8, utf8 } from './bytes.ts';
import { canonicalJson } from './canonical-json.ts';
import { commit, isHashText, randomSalt } from './commitment.ts';
import { formatLeaf, type Leaf, MAX_LEAF_BYTES, openableFields, parseLeaf } from './leaf.ts';
import { nodeSha256 } from './sha256.server.ts';
import { webSha256 } from './sha256.ts';

const HASH = formatBase64(new Uint8Array(32).fill(7));
const RECORDED: Leaf = {
  v: 1,
  type: 'calibration.recorded',
  at: '2026-11-21T08:30:00.000Z',
  origin: 'recorded',
  subject: HASH,
  subjectSeq: 2,
  prev: HASH,
  body: {
    calibration: 1_795_250_000_000,
    axle: 'DRIVE',
    attribute: 'Loaded Volt',
    value: '4.25',
    unit: 'V',
    calibratedOn: '2026-11-20',
    nextDueOn: '2027-11-20',
    validated: false,
  },
  people: { actor: HASH, technician: HASH },
  certificate: HASH,
  rest: HASH,
};

test('a leaf has one text', () => {
  expect(parseUtf8(formatLeaf(RECORDED))).toBe(
    `{"at":"2026-11-21T08:30:00.000Z","body":{"attribute":"Loaded Volt","axle":"DRIVE","calibratedOn":"2026-11-20","calibration":1795250000000,"nextDueOn":"2027-11-20","unit":"V","validated":false,"value":"4.25"},"certificate":"${HASH}","origin":"recorded","people":{"actor":"${HASH}","technician":"${HASH}"},"prev":"${HASH}","rest":"${HASH}","subject":"${HASH}","subjectSeq":2,"type":"calibration.recorded","v":1}`,
  );
  expect(parseLeaf(formatLeaf(RECORDED))).toEqual(RECORDED);
});

const { subject: _, subjectSeq: __, prev: ___, ...unchained } = RECORDED;
test.each<[string, object]>([
  ['another version', { ...RECORDED, v: 2 }],
  ['an unknown type', { ...RECORDED, type: 'calibration.edited' }],
  ['a type of every object', { ...RECORDED, type: 'toString' }],
  ['an unknown origin', { ...RECORDED, origin: 'heard' }],
  ['an unknown field', { ...RECORDED, rego: 'ABC123' }],
  ['a rego in the body', { ...RECORDED, body: { rego: 'ABC123' } }],
  ['a VIN in the body', { ...RECORDED, body: { vin: '1M8GDM9AXKP042788' } }],
  ['a name in the body', { ...RECORDED, body: { technician: 'A. Smith' } }],
  ['a name for a commitment', { ...RECORDED, people: { technician: 'A. Smith' } }],
  ['an unknown role', { ...RECORDED, people: { owner: HASH } }],
  ['no people in people', { ...RECORDED, people: {} }],
  ['a body that is a list', { ...RECORDED, body: [] }],
  ['no body', { ...RECORDED, body: undefined }],
  ['a value that is a number', { ...RECORDED, body: { value: 4 } }],
  ['a value of two lines', { ...RECORDED, body: { value: '4\n5' } }],
  ['a value that is an essay', { ...RECORDED, body: { value: '4'.repeat(201) } }],
  ['a day that does not exist', { ...RECORDED, body: { calibratedOn: '2026-02-30' } }],
  ['an instant for a day', { ...RECORDED, body: { calibratedOn: '2026-02-03T00:00:00Z' } }],
  ['a flag as text', { ...RECORDED, body: { validated: 'true' } }],
  ['a negative id', { ...RECORDED, body: { calibration: -1 } }],
  ['a time that does not exist', { ...RECORDED, at: '2026-02-30T00:00:00.000Z' }],
  ['a time without milliseconds', { ...RECORDED, at: '2026-02-03T00:00:00Z' }],
  ['a local time', { ...RECORDED, at: '2026-02-03T00:00:00.000+10:00' }],
  ['hour 24', { ...RECORDED, at: '2026-02-03T24:00:00.000Z' }],
  ['a short hash', { ...RECORDED, rest: HASH.slice(4) }],
  ['a hash with stray bits', { ...RECORDED, rest: HASH.replace('c=', 'd=') }],
  ['null for nothing', { ...RECORDED, certificate: null }],
  ['a vehicle without subject', unchained],
  ['a subject without its place', { ...unchained, subject: HASH }],
  ['a place without subject', { ...unchained, type: 'technician.approved', subjectSeq: 1 }],
  ['place 0', { ...unchained, subject: HASH, subjectSeq: 0 }],
  ['a first leaf that names one before', { ...RECORDED, subjectSeq: 1 }],
  ['a second leaf that names none', { ...unchained, subject: HASH, subjectSeq: 2 }],
  ['a predecessor without subject', { ...unchained, type: 'technician.approved', prev: HASH }],
  ['a correction of nothing', { ...RECORDED, type: 'calibration.corrected' }],
  ['a redaction of nothing', { ...unchained, type: 'redaction', body: {} }],
  ['a key leaf without a key', { ...unchained, type: 'log.key', body: {} }],
])('%s: no leaf', (_name, leaf) => {
  expect(() =>
    parseLeaf(utf8(canonicalJson(Object.fromEntries(Object.entries(leaf).filter(([, value]) => value !== undefined))))),
  ).toThrow(Malformed);
});

test('leaves without a vehicle', () => {
  for (const [type, body] of [
    ['technician.approved', {}],
    ['technician.updated', {}],
    ['technician.suspended', { suspendedFrom: '2026-11-21' }],
    ['technician.reinstated', { reinstatedFrom: '2026-12-01' }],
    ['redaction', { redacts: 4, erased: 'people.technician' }],
    ['log.key', { key: 'log.example+c74f20a3+AR', succeeds: 'a b c' }],
  ] as const) {
    const leaf = { ...unchained, type, body };
    expect(parseLeaf(formatLeaf(leaf))).toEqual(leaf);
  }
});

test('only the canonical bytes are a leaf, and at most 4 kB of them', () => {
  const text = parseUtf8(formatLeaf(RECORDED));
  for (const other of [
    ` ${text}`,
    `${text}\n`,
    text.replace(':', ': '),
    text.replace('"v":1', '"v":1,"v":1'),
    `\ufeff${text}`,
    'null',
    '[]',
    '',
  ])
    expect(() => parseLeaf(utf8(other))).toThrow(Malformed);
  expect(() => parseLeaf(new Uint8Array(MAX_LEAF_BYTES + 1).fill(32))).toThrow('at most 4096');
});

test('commitments open with salt, value and field, and with nothing else', async () => {
  const opening = { salt: formatBase64(new Uint8Array(32).fill(1)), value: { rego: 'ABC123', vin: null } };
  const made = await commit(nodeSha256, 'subject', opening);
  expect(made).toBe(await commit(webSha256, 'subject', { ...opening, value: { vin: null, rego: 'ABC123' } }));
  expect(isHashText(made)).toBe(true);
  const others = await Promise.all([
    commit(nodeSha256, 'rest', opening),
    commit(nodeSha256, 'subject', { ...opening, salt: randomSalt() }),
    commit(nodeSha256, 'subject', { ...opening, value: { rego: 'ABC124', vin: null } }),
    commit(nodeSha256, 'subject', { ...opening, value: { rego: 'ABC123' } }),
  ]);
  expect(new Set([made, ...others]).size).toBe(5);
  expect(randomSalt()).not.toBe(randomSalt());
  await expect(commit(nodeSha256, 'subject', { salt: 'AAAA', value: 'x' })).rejects.toThrow('32 bytes');
});

// So that a change of the construction, which would make every published commitment unopenable, shows.
test('the construction of commitments is fixed', async () => {
  const salt = formatBase64(new Uint8Array(32));
  const hashed = `["truck-scale-registry commitment v1","people.technician","${salt}","A. Smith"]`;
  expect(await commit(nodeSha256, 'people.technician', { salt, value: 'A. Smith' })).toBe(
    formatBase64(nodeSha256(utf8(hashed))),
  );
});

test('names the commitments that can be opened', () => {
  expect([...openableFields(RECORDED).keys()].sort()).toEqual([
    'certificate',
    'people.actor',
    'people.technician',
    'rest',
    'subject',
  ]);
});
