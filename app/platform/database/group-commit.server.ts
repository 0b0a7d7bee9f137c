// Group commit: writes of one kind that arrive while others are being written share one batch, in one transaction. So
// there is one commit to make durable, and the one row of the logs is locked once for all of them
// (docs/decisions/0013).
//
// It buys three to five times the readings a second: sixteen writers recorded 84 a second in batches and 17 in
// transactions of their own, in another run 72 and 21 (medians of alternating windows, on two busy cores). Deletable
// when the logs number their entries without a lock that is held to the commit: such transactions could commit in
// parallel.
import { setImmediate } from 'node:timers/promises';
import { isUnavailable } from '#app/platform/process/unavailable.server.ts';

export type GroupCommit<Item, Answer> = {
  /**
   * Writes a batch in one transaction, and answers in its order; undefined for an item to be written as a single. Must
   * not wait long for anything that only some items need. Calls `committing` when only the commit itself can still
   * fail.
   */
  batch: (items: readonly Item[], committing: () => void) => Promise<readonly (Answer | undefined)[]>;
  /** Writes one item in a transaction of its own, and waits for whatever it needs. */
  single: (item: Item) => Promise<Answer>;
  /** Whether a second write of the item finds the first outcome, and has no second effect. */
  isIdempotent: (item: Item) => boolean;
  /** Until a batch has ended, no item with the key of one of its items enters the next batch. */
  conflictKey: (item: Item) => string;
};

const BATCH_MAX = 64;
// One is made durable while the next is being written.
const BATCHES_MAX = 2;
// Singles may wait for locks. The limit leaves connections of the pool for batches.
const SINGLES_MAX = 5;

/** A function that writes one item, in a batch with the others of the moment. */
export function groupCommit<Item, Answer>(write: GroupCommit<Item, Answer>): (item: Item) => Promise<Answer> {
  type One = { item: Item; answer: (answer: Answer | Promise<Answer>) => void; fail: (error: unknown) => void };
  const waiting: One[] = [];
  const batches = new Set<{ keys: ReadonlySet<string>; ended: Promise<void> }>();
  const waitingSingles: One[] = [];
  /** The keys of those under way. */
  const singles = new Set<string>();
  let isWriting = false;

  async function writeWaiting(): Promise<void> {
    isWriting = true;
    while (waiting.length > 0) {
      const batch = batches.size < BATCHES_MAX ? nextBatch() : [];
      if (batch.length > 0) await begin(batch);
      else await Promise.race([...batches].map(({ ended }) => ended));
      // Lets requests that have already arrived join the next batch.
      await setImmediate();
    }
    isWriting = false;
  }

  // The first waiting items whose keys no running batch holds.
  function nextBatch(): One[] {
    const isHeld = ({ item }: One) => [...batches].some(({ keys }) => keys.has(write.conflictKey(item)));
    const batch: One[] = [];
    const later: One[] = [];
    for (const one of waiting.splice(0)) (batch.length < BATCH_MAX && !isHeld(one) ? batch : later).push(one);
    waiting.push(...later);
    return batch;
  }

  /** Resolves when only the commit of the batch is left, or it has ended. */
  function begin(batch: readonly One[]): Promise<void> {
    return new Promise((go) => {
      const ended = writeBatch(batch, go);
      const running = { keys: new Set(batch.map(({ item }) => write.conflictKey(item))), ended };
      batches.add(running);
      void ended.then(() => {
        batches.delete(running);
        return go();
      });
    });
  }

  async function writeBatch(batch: readonly One[], go: () => void): Promise<void> {
    let isCommitting = false;
    const items = batch.map(({ item }) => item);
    try {
      const answers = await write.batch(items, () => {
        isCommitting = true;
        go();
      });
      for (const [place, one] of batch.entries()) {
        const answer = answers[place];
        if (answer === undefined) writeSingle(one);
        else one.answer(answer);
      }
    } catch (error) {
      // Writes each as a single, so that an item at fault does not fail the others. Not when the batch may have been
      // committed and the item would have its effect twice. When the database is unavailable, all fail now.
      const isAway = isUnavailable(error) && !isLostRace(error);
      for (const one of batch)
        if (isCommitting ? write.isIdempotent(one.item) : !isAway) writeSingle(one);
        else one.fail(error);
    }
  }

  // Of one key one at a time: those who wait for the same lock leave the other connections to the rest.
  const mayWrite = ({ item }: One) => singles.size < SINGLES_MAX && !singles.has(write.conflictKey(item));

  function writeSingle(one: One): void {
    if (!mayWrite(one)) return void waitingSingles.push(one);
    const key = write.conflictKey(one.item);
    singles.add(key);
    const written = write.single(one.item).finally(() => {
      singles.delete(key);
      const next = waitingSingles.findIndex(mayWrite);
      for (const free of next === -1 ? [] : waitingSingles.splice(next, 1)) writeSingle(free);
    });
    one.answer(written);
  }

  return (item) =>
    new Promise((answer, fail) => {
      waiting.push({ item, answer, fail });
      if (!isWriting) void writeWaiting();
    });
}

// https://www.postgresql.org/docs/current/errcodes-appendix.html: serialization_failure, deadlock_detected.
const isLostRace = (error: unknown) =>
  error instanceof Error && 'code' in error && (error.code === '40001' || error.code === '40P01');
