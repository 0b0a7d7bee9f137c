// Keeps the newest checkpoint cosigned: in each round every address that has not yet signed it is asked, each for
// itself. A slow or hanging witness keeps nobody waiting, and one that fails is asked again, later each time.
//
// What was cosigned is put together under the checkpoint, and shown as soon as it is enough. A larger tree is never
// replaced by a smaller one.
import type { Logger } from '#app/platform/process/logger.server.ts';
import type { LogFolder, SignedHead } from '#app/transparency-log/log-folder.server.ts';
import { utf8 } from '#app/tlog/bytes.ts';
import { cosignedAt } from '#app/tlog/cosignature.ts';
import {
  formatNote,
  parseNote,
  signatureLine,
  type NoteSignature,
  type SignedNote,
  type VerifierKey,
} from '#app/tlog/signed-note.ts';
import { nodeSha256 } from '#app/tlog/sha256.server.ts';
import { openTiles } from '#app/tlog/tile-reader.ts';
import { WITNESSED_PATH } from '#app/tlog/tiles.ts';
import type { WitnessPolicy } from '#app/tlog/witness-policy.ts';
import { witnessesOf } from '#app/tlog/witnessed.ts';
import { askWitness, NotCosigned, type Cosignature, type WitnessAddress } from './ask-witness.server.ts';
import { WitnessDiary } from './witness-diary.server.ts';

/** What was cosigned is cosigned again after so long, though nothing was recorded: yesterday's quorum says little. */
const REFRESH_MS = 3_600_000;
const FIRST_WAIT_MS = 10_000;
const LONGEST_WAIT_MS = 300_000;
/** A witness may have been asked meanwhile by the node before this one. */
const CONFLICTS_MAX = 2;

export type Rounds = {
  folder: LogFolder;
  key: VerifierKey;
  policy: WitnessPolicy;
  now: () => Date;
  log: Pick<Logger, 'info' | 'warn'>;
  signal: AbortSignal;
};

type Round = { head: SignedHead; note: SignedNote; begun: number; cosigned: Map<string, NoteSignature> };
type Asked = WitnessAddress & { seen: number; failures: number; next: number; isBusy: boolean };

export class WitnessRounds {
  readonly #rounds: Rounds;
  readonly #addresses: Asked[];
  readonly #diary: WitnessDiary;
  readonly #running = new Set<Promise<void>>();
  #round: Round | undefined;
  #writing: Promise<unknown> = Promise.resolve();

  constructor(rounds: Rounds, diary: WitnessDiary) {
    this.#rounds = rounds;
    this.#diary = diary;
    this.#addresses = addressesOf(rounds.policy).map((address) => ({
      ...address,
      seen: diary.sizeOf(address.witnesses.map(({ name }) => name)),
      failures: 0,
      next: 0,
      isBusy: false,
    }));
  }

  /** Begins to ask anybody who is to be asked now. Answers come later. */
  async look(): Promise<void> {
    const { folder, key, now } = this.#rounds;
    const head = await folder.readCheckpoint(key);
    if (head === undefined) return;
    const time = now().getTime();
    const isSame = this.#round?.head.head.size === head.head.size;
    if (!isSame || time - (this.#round?.begun ?? 0) >= REFRESH_MS)
      this.#round = { head, note: parseNote(head.note), begun: time, cosigned: new Map() };
    const round = this.#round;
    if (round === undefined) return;
    for (const asked of this.#addresses) {
      const hasAll = asked.witnesses.every(({ name }) => round.cosigned.has(name));
      if (asked.isBusy || hasAll || time < asked.next) continue;
      asked.isBusy = true;
      const asking = this.#ask(asked, round).finally(() => {
        asked.isBusy = false;
        this.#running.delete(asking);
      });
      this.#running.add(asking);
    }
  }

  /** Waits until nobody is asked any more. */
  async ended(): Promise<void> {
    await Promise.all(this.#running);
    await this.#writing;
  }

  async #ask(asked: Asked, round: Round): Promise<void> {
    const { now, log, signal } = this.#rounds;
    const names = asked.witnesses.map(({ name }) => name);
    try {
      const cosignatures = await this.#askKnowing(asked, round);
      asked.failures = 0;
      asked.seen = round.head.head.size;
      await this.#keep(round, cosignatures);
      await this.#diary.cosigned(cosignatures, round.head.head.size);
    } catch (error) {
      if (signal.aborted) return;
      asked.failures += 1;
      asked.next = now().getTime() + Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (asked.failures - 1));
      const words = error instanceof Error ? error.message : String(error);
      if (asked.failures === 1) log.warn({ witness: asked.url, words }, 'a witness did not cosign the public log');
      await this.#diary.failed(names, words).catch(() => {});
    }
  }

  async #askKnowing(asked: Asked, { head, note }: Round): Promise<Cosignature[]> {
    const { folder, key, now, signal } = this.#rounds;
    const { size } = head.head;
    // The log's own signature only: what witnesses are asked by stays as short as it can be.
    const own = { ...note, signatures: note.signatures.filter(({ name }) => name === key.name) };
    const prove = async (oldSize: number) => {
      const tiles = await openTiles(nodeSha256, head.head, async (level, index, width) => {
        const bytes = await folder.readTile({ level, index, width }, size);
        if (bytes === undefined) throw new NotCosigned('a published file is missing');
        return bytes;
      });
      return tiles.proveConsistency(oldSize);
    };
    for (let conflicts = 0; ; conflicts += 1) {
      try {
        return await askWitness(
          asked,
          { note: utf8(formatNote(own)), size, prove },
          { old: Math.min(asked.seen, size), now, signal },
        );
      } catch (error) {
        const seen = error instanceof NotCosigned ? error.size : undefined;
        if (seen === undefined || conflicts >= CONFLICTS_MAX) throw error;
        if (seen > size) throw new NotCosigned(`it has seen ${seen} entries, and the log has ${size}`);
        asked.seen = seen;
      }
    }
  }

  async #keep(round: Round, cosignatures: readonly Cosignature[]): Promise<void> {
    for (const { name, line } of cosignatures) round.cosigned.set(name, line);
    // One after the other, so that a smaller tree never comes last.
    this.#writing = this.#writing.catch(() => {}).then(() => this.#show(round));
    await this.#writing;
  }

  async #show({ head, note, cosigned }: Round): Promise<void> {
    const { folder, key, policy, now } = this.#rounds;
    const shown = await folder.readWitnessed(key).catch(() => undefined);
    if (shown !== undefined && shown.head.size > head.head.size) return;
    if (shown !== undefined) await keepNewer(cosigned, note, { shown: parseNote(shown.note), ...policy });
    const whole = utf8(formatNote({ ...note, signatures: [...note.signatures, ...cosigned.values()] }));
    if ((await witnessesOf(whole, policy, now())).at === null) return;
    await folder.writePublished(WITNESSED_PATH, whole);
  }
}

// A witness whose clock was set back does not make its own newer cosignature old.
async function keepNewer(
  cosigned: Map<string, NoteSignature>,
  note: SignedNote,
  { shown, witnesses }: { shown: SignedNote } & WitnessPolicy,
): Promise<void> {
  if (shown.text !== note.text) return;
  for (const { name, key } of witnesses) {
    const line = cosigned.get(name);
    if (line === undefined) continue;
    const before = (await cosignedAt(shown, key)) ?? 0;
    const after = (await cosignedAt({ ...note, signatures: [line] }, key)) ?? 0;
    if (before > after) cosigned.set(name, signatureLine(shown, key));
  }
}

// One call an address, whatever number of witnesses sign there.
function addressesOf({ witnesses }: WitnessPolicy): WitnessAddress[] {
  const byUrl = Map.groupBy(witnesses, ({ url = '' }) => url.replace(/\/$/, ''));
  return [...byUrl].map(([url, members]) => ({ url, witnesses: members }));
}
