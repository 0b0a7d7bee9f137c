// What the page of one entry shows, all of it from the published files: what anybody could read there themselves.
import { formatDay, formatInstantInZone, isDay } from '#app/platform/time/calendar.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { parseLeaf } from '#app/tlog/leaf.ts';
import { openLogFolder } from './log-folder.server.ts';
import { logKey } from './log-key.server.ts';
import { BODY_WORDS, LEAF_WORDS, ORIGIN_WORDS } from './log-words.ts';
import { leafHash } from '#app/tlog/merkle-tree.ts';
import { publishedLeaf } from './prove-record.server.ts';
import { witnessedWords } from './read-witnessed.server.ts';
import { nodeSha256 } from '#app/tlog/sha256.server.ts';
import { shownLog } from './shown-log.server.ts';
import { formatHex } from '#app/tlog/signed-note.ts';

/** The entry with this index, or how many are signed when it is not one of them. */
export async function readEntryPage({ config, now }: Pick<Services, 'config' | 'now'>, index: number) {
  const { verifier } = await logKey(config);
  const folder = openLogFolder(config);
  const [signed, signedAt] = await Promise.all([folder.readCheckpoint(verifier), folder.signedAt()]);
  const size = signed?.head.size ?? 0;
  if (index >= size) return { state: 'not-signed' as const, size };
  const inZone = (instant: Date) => formatInstantInZone(instant, config.timeZone);
  const { bytes } = await publishedLeaf(folder, index, size);
  const { type, at, origin, body } = parseLeaf(bytes);
  const witnessed = await witnessedWords(config, now());
  const entry = {
    index,
    words: LEAF_WORDS[type],
    at: inZone(new Date(at)),
    origin: ORIGIN_WORDS[origin],
    // What the entry says in clear.
    facts: Object.entries(BODY_WORDS).flatMap(([field, label]) => {
      const value = Object.entries(body).find(([name]) => name === field)?.[1];
      if (value === undefined) return [];
      const isUtc = field === 'calibratedOn' && body.zone === undefined;
      return [{ field, label, value: isUtc ? `${inWords(value)} (UTC)` : inWords(value) }];
    }),
    // In hex, four digits a group.
    hash: formatHex(await leafHash(nodeSha256, bytes)).replaceAll(/.{4}(?=.)/g, '$& '),
    size,
    // By whom, where the newest witnessed checkpoint has this entry; null: no witness is asked.
    witnessed: witnessed && (index < witnessed.size ? witnessed.words : 'Not yet'),
    signedAt: signedAt === undefined ? '' : inZone(signedAt),
    shown: {
      ...(await shownLog(config)),
      proof: `/api/v1/log/entries/${index}/proof`,
      index,
      type,
      body,
      values: {},
    },
  };
  return { state: 'signed' as const, entry };
}

function inWords(value: string | number | boolean): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'number') return String(value);
  return isDay(value) ? formatDay(value) : value;
}
