// A proof that is carried: what it says of the truck today, and that nothing altered passes for it.
import { beforeAll, describe, expect, test } from 'vitest';
import { utf8, type Bytes } from '#app/tlog/bytes.ts';
import { commit, randomSalt, type Opening } from '#app/tlog/commitment.ts';
import { formatLeaf, type LeafType } from '#app/tlog/leaf.ts';
import { nodeSha256 } from '#app/tlog/sha256.server.ts';
import type { SigningKey } from '#app/tlog/sign-note.server.ts';
import { openTiles } from '#app/tlog/tile-reader.ts';
import { tilePath } from '#app/tlog/tiles.ts';
import { formatProofExtra, formatTlogProof } from '#app/tlog/tlog-proof.ts';
import { parseWitnessPolicy, type WitnessPolicy } from '#app/tlog/witness-policy.ts';
import { newKey, publish, someEntries } from '#test/small-log.ts';
import { cosigned, policyText } from '#test/witnesses/cosign.ts';
import { readCarriedProof } from './carried-proof.ts';

const MINE = 40;
const SUBJECT = { vehicle: '00000000-0000-4000-8000-000000000001', rego: 'ABC123' };
const WITNESSED = new Date('2026-11-24T00:00:00Z');
const LATER = new Date('2026-11-24T00:00:24Z');
const ZONE = 'Australia/Sydney';

let key: SigningKey;
let both: WitnessPolicy;
let none: WitnessPolicy;
let file: Bytes;
let unwitnessed: Bytes;
beforeAll(async () => {
  key = await newKey();
  both = await parseWitnessPolicy(utf8(policyText(['north', 'south'], 2)));
  none = await parseWitnessPolicy(utf8('quorum none\n'));
  file = await fileOf({ validated: true, nextDueOn: '2027-05-14' }, ['north', 'south']);
  unwitnessed = await fileOf({ validated: true, nextDueOn: '2027-05-14' }, []);
});

type Body = Record<string, string | boolean>;
type Told = { type?: LeafType; isOlder?: true };
// `isOlder`: than the entries that say on what a verdict rests.
async function fileOf(
  said: Body,
  witnesses: readonly string[],
  { type = 'vehicle.updated', isOlder }: Told = {},
): Promise<Bytes> {
  const body = isOlder ? said : { restsOn: 'visit', restsOnDay: '2026-11-14', ...said };
  const opening: Opening = { salt: randomSalt(), value: SUBJECT };
  const subject = await commit(nodeSha256, 'subject', opening);
  const entries = await someEntries(100, 1000);
  const leaf = formatLeaf({
    v: 1,
    type,
    at: '2026-11-21T00:00:40.000Z',
    origin: 'recorded',
    body,
    subject,
    subjectSeq: 1,
  });
  entries[MINE] = leaf;
  const log = await publish(entries, key);
  const read = (path: string): Bytes => log.files.get(path) ?? new Uint8Array();
  const tiles = await openTiles(nodeSha256, log.head, async (level, index, width) =>
    read(tilePath({ level, index, width })),
  );
  const hashes = await tiles.proveInclusion(MINE);
  const checkpoint = cosigned(read('checkpoint'), witnesses, WITNESSED);
  const extra = formatProofExtra({ leaf, openings: new Map([['subject', opening]]) });
  return utf8(formatTlogProof({ index: MINE, hashes, checkpoint, extra }));
}

const read = (bytes: Uint8Array, { policy = both, rego = 'abc 123', now = LATER } = {}) =>
  readCarriedProof(nodeSha256, bytes, { key: key.verifier, policy, rego, now, zone: ZONE });

test('today’s verdict is worked out from it, with its age and its witnesses', async () => {
  expect(await read(file)).toMatchObject({
    result: 'proved',
    rego: 'ABC123',
    judgement: { verdict: 'valid' },
    sentence: expect.stringMatching(
      /^Proved as at 24 November 2026, 11:00 am AEDT, 24 seconds ago, by 2 of 2 witnesses \(north, south\)\. Nothing newer is known here\.$/,
    ),
  });
});

test('it grows old, and the verdict with it', async () => {
  const after = await read(file, { now: new Date('2026-11-26T01:00:00Z') });
  expect(after).toMatchObject({ result: 'proved', isOld: true, sentence: expect.stringContaining('2 days ago') });
  expect((await read(file, { now: new Date('2027-05-01T00:00:00Z') })).judgement?.verdict).toBe('due-soon');
  expect((await read(file, { now: new Date('2027-05-16T00:00:00Z') })).judgement?.verdict).toBe('overdue');
});

const names = ['north', 'south'];
const answerTo = async (body: Body, told?: Told) => read(await fileOf(body, names, told));
const verdictOf = async (body: Body, told?: Told) => (await answerTo(body, told)).judgement?.verdict;
const TICKED = { validated: true, nextDueOn: '2030-05-14' };

test('the verdict is that of the page, whatever the truck rests on', async () => {
  expect(await verdictOf({ ...TICKED, validated: false })).toBe('not-validated');
  expect(await verdictOf({ ...TICKED, restsOn: 'no-calibration' })).toBe('never-calibrated');
  expect(await verdictOf({ ...TICKED, restsOn: 'nothing' })).toBe('not-validated');
  expect(await verdictOf({ validated: true, restsOn: 'visit' })).toBe('valid');
  expect(await verdictOf({ validated: true, restsOn: 'taken-over' })).toBe('valid');
});

test('it says as at which moment, and on what it rests', async () => {
  const sentenceOf = async (body: Body) => (await answerTo(body)).judgement?.sentence;
  const asAt = 'As the registry stood on 24 November 2026, 11:00 am AEDT: ';
  const due = 'Next calibration due on 14 May 2030, in 1267 days.';
  expect(await sentenceOf(TICKED)).toBe(`${asAt}${due} It rests on the visit of 14 November 2026.`);
  expect(await sentenceOf({ ...TICKED, restsOn: 'taken-over' })).toBe(
    `${asAt}${due} It rests on what was taken over of 14 November 2026.`,
  );
  expect(await sentenceOf({ ...TICKED, restsOn: 'no-calibration' })).toBe(
    `${asAt}Not valid today. No calibration has been recorded for this vehicle.`,
  );
  expect(await sentenceOf({ validated: false })).toBe(
    `${asAt}Not valid today. No administrator stands for the calibrations that are recorded.`,
  );
});

test('an older entry is read by the state of its visit, or cannot be told', async () => {
  const older = { type: 'visit.closed', isOlder: true } as const;
  const closed = { visit: 'v', validated: true } as const;
  const due = { vehicleDueOn: '2027-05-14' };
  const cannotTell = { result: 'could-not-tell', sentence: expect.stringContaining('cannot be told') };
  expect(await verdictOf({ ...closed, ...due, visitState: 'counts' }, older)).toBe('valid');
  // Its due date may be that of what was taken over.
  expect(await answerTo({ ...closed, ...due, visitState: 'waits' }, older)).toMatchObject(cannotTell);
  expect(await answerTo({ ...closed, visitState: 'waits' }, older)).toMatchObject(cannotTell);
  expect(await answerTo(TICKED, { isOlder: true })).toMatchObject(cannotTell);
  expect(await answerTo({ validated: true }, { isOlder: true })).toMatchObject(cannotTell);
});

test('of a truck that was removed, and of what is no truck, nothing is said', async () => {
  const removed = await answerTo(TICKED, { type: 'vehicle.deleted' });
  expect(removed).toMatchObject({ result: 'could-not-tell', sentence: expect.stringContaining('ABC123 was removed') });
  expect(await answerTo({})).toMatchObject({ result: 'could-not-tell' });
});

describe('refused', () => {
  test('another truck’s', async () => {
    const answer = await read(file, { rego: 'ABC124' });
    expect(answer).toEqual({ result: 'tampered', sentence: 'It is the proof of ABC123, and not of ABC124.' });
  });

  test('one that is not witnessed, where the policy wants witnesses', async () => {
    expect(await read(unwitnessed)).toMatchObject({
      result: 'could-not-tell',
      sentence: expect.stringContaining('none of 2 witnesses'),
    });
    const half = await fileOf({ validated: true, nextDueOn: '2027-05-14' }, ['north']);
    expect(await read(half)).toMatchObject({ result: 'could-not-tell' });
    expect((await read(half)).judgement).toBeUndefined();
    expect(await read(unwitnessed, { policy: none })).toMatchObject({ result: 'proved' });
  });

  test('one whose witnesses sign in the future', async () => {
    expect((await read(file, { now: new Date('2026-11-23T23:00:00Z') })).result).toBe('could-not-tell');
  });

  test('one in which any byte was changed', async () => {
    for (let place = 0; place < file.length; place += 1) {
      const changed = Uint8Array.from(file);
      changed[place] = (changed[place] ?? 0) ^ (1 << (place % 8));
      const { result, judgement } = await read(changed);
      expect([place, result, judgement]).toEqual([place, expect.not.stringMatching('proved'), undefined]);
    }
  });
});
