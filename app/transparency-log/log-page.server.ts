// What the page of the public log shows, all of it from the published files: what anybody could read there themselves.
import { formatInstantInZone } from '#app/platform/time/calendar.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { formatBase64 } from '#app/tlog/bytes.ts';
import { type Leaf, parseLeaf } from '#app/tlog/leaf.ts';
import { howToCheck } from './how-to-check.server.ts';
import { LOG_PREFIX } from './log-address.ts';
import { type LogFolder, openLogFolder } from './log-folder.server.ts';
import { logKey } from './log-key.server.ts';
import { readWitnessed, witnessedWords } from './read-witnessed.server.ts';
import { LEAF_WORDS } from './log-words.ts';
import { formatHex, formatVerifierKey } from '#app/tlog/signed-note.ts';
import { parseBundle, TILE_WIDTH, widthAt } from '#app/tlog/tiles.ts';

const ENTRIES_PER_PAGE = 20;

export type LogPage = Awaited<ReturnType<typeof readLogPage>>;

/** The latest signed head of the log; null: none is signed yet. */
export async function logHead(config: Services['config']): Promise<{ size: number; rootHex: string } | null> {
  const { verifier } = await logKey(config);
  const signed = await openLogFolder(config)
    .readCheckpoint(verifier)
    .catch(() => undefined);
  return signed === undefined ? null : { size: signed.head.size, rootHex: formatHex(signed.head.root) };
}

/** `wanted`: the page of entries; beyond the last it is the last. */
export async function readLogPage({ config, now }: Pick<Services, 'config' | 'now'>, origin: string, wanted: number) {
  const { verifier } = await logKey(config);
  const folder = openLogFolder(config);
  const inZone = (instant: Date) => formatInstantInZone(instant, config.timeZone);
  const [refusal, signed, at, witnessed] = await Promise.all([
    folder.readRefusal(),
    folder.readCheckpoint(verifier).catch(() => undefined),
    folder.signedAt(),
    witnessedWords(config, now()),
  ]);
  const size = signed?.head.size ?? 0;
  const pages = Math.max(1, Math.ceil(size / ENTRIES_PER_PAGE));
  const page = Math.min(Math.max(1, wanted), pages);
  const items = await entriesBefore(folder, size - (page - 1) * ENTRIES_PER_PAGE, size);
  const key = formatVerifierKey(verifier);
  return {
    key,
    howToCheck: howToCheck(`${config.publicUrl?.origin ?? origin}${LOG_PREFIX}`, key, config.sourceUrl),
    signed:
      signed === undefined
        ? null
        : {
            size: signed.head.size,
            root: formatBase64(signed.head.root),
            rootHex: formatHex(signed.head.root),
            at: at === undefined ? '' : inZone(at),
          },
    // By whom the newest witnessed checkpoint is; null: no witness is asked.
    witnessed,
    refusal: refusal === undefined ? null : { sentence: refusal.sentence, since: inZone(new Date(refusal.since)) },
    // One page of them, the latest first.
    entries: {
      page,
      pages,
      items: items.map(({ index, leaf }) => ({ index, words: LEAF_WORDS[leaf.type], at: inZone(new Date(leaf.at)) })),
    },
  };
}

// Those below `end`, the latest first: a page lies in two bundles at most.
async function entriesBefore(folder: LogFolder, end: number, size: number): Promise<{ index: number; leaf: Leaf }[]> {
  const start = Math.max(0, end - ENTRIES_PER_PAGE);
  const found: { index: number; leaf: Leaf }[] = [];
  for (
    let bundle = Math.floor((end - 1) / TILE_WIDTH);
    end > 0 && bundle >= Math.floor(start / TILE_WIDTH);
    bundle -= 1
  ) {
    const first = bundle * TILE_WIDTH;
    const width = widthAt(size, 'entries', bundle);
    const bytes = await folder.readTile({ level: 'entries', index: bundle, width }, size);
    if (bytes === undefined) break;
    const entries = parseBundle(bytes, width).slice(Math.max(0, start - first), end - first);
    const from = Math.max(start, first);
    found.push(...entries.map((entry, at) => ({ index: from + at, leaf: parseLeaf(entry) })).toReversed());
  }
  return found;
}

/**
 * For the operator: how many entries are signed (undefined: it cannot be read), whether signing is refused.
 * `witnessed`: undefined where no witness is asked; `seconds`: the age of the newest quorum; null: there is none.
 */
export async function logFigures({ config, now }: Pick<Services, 'config' | 'now'>) {
  const folder = openLogFolder(config);
  const { verifier } = await logKey(config);
  const signed = await folder.readCheckpoint(verifier).then(
    (found) => found?.head.size ?? 0,
    () => undefined,
  );
  const time = now();
  const log = await readWitnessed(config, time);
  const at = log?.newest?.witnessed.at;
  const seconds = at instanceof Date ? (time.getTime() - at.getTime()) / 1000 : null;
  const witnessed = log === undefined ? undefined : { size: log.newest?.size ?? 0, seconds };
  return { signed, refuses: (await folder.readRefusal()) !== undefined, witnessed };
}
