// Writes that come in while others of their kind are being written go together, in one transaction: the database then
// makes one commit durable, and holds the logs' lock once, for all of them (docs/decisions/0013).
import { setImmediate } from 'node:timers/promises';
import { settledWithin } from '#app/platform/process/settled-within.server.ts';
import { isUnavailable } from '#app/platform/process/unavailable.server.ts';

/** Of one kind of write. */
export type GroupedWrite<Item, Answer> = {
  /**
   * Writes all of `items` in one transaction, and answers in their order; undefined for one that is better written alone.
   * Must not wait long for anything that only some of them need. `committing` is called when nothing can fail any more but
   * the commit.
   */
  together: (items: readonly Item[], committing: () => void) => Promise<readonly (Answer | undefined)[]>;
  /** Writes one, and waits for whatever it needs. */
  alone: (item: Item) => Promise<Answer>;
  /** Whether writing it again finds what the first time came to, so that it has its effect once. */
  isOnce: (item: Item) => boolean;
  /** What a group holds to its end: those about the same do not come into the next before. */
  about: (item: Item) => string;
};

const TOGETHER_MAX = 64;
// They may wait for somebody's lock: what goes together always finds a connection.
const ALONE_MAX = 5;
// How long those that come after one alone wait for it to end, to go together meanwhile.
const HELD_MS = 100;
// One is made durable while the next is being written.
const GROUPS_AT_ONCE = 2;

type Waiting<Item, Answer> = {
  item: Item;
  answer: (answer: Answer | Promise<Answer>) => void;
  fail: (error: unknown) => void;
};

/** A function that writes one, together with the others of the moment. One that comes when nothing is being written goes at once. */
export function writeInGroups<Item, Answer>(write: GroupedWrite<Item, Answer>): (item: Item) => Promise<Answer> {
  const waiting: Waiting<Item, Answer>[] = [];
  const alone = atMost(ALONE_MAX);
  const groups = new Set<{ about: ReadonlySet<string>; ended: Promise<void> }>();
  let isWriting = false;

  const writeAlone = (one: Waiting<Item, Answer>) => {
    const written = alone.run(() => write.alone(one.item));
    one.answer(written);
    return Promise.allSettled([written]);
  };

  async function writeTogether(group: readonly Waiting<Item, Answer>[], committing: () => void): Promise<void> {
    let isCommitting = false;
    const items = group.map(({ item }) => item);
    try {
      const answers = await write.together(items, () => {
        isCommitting = true;
        committing();
      });
      for (const [place, one] of group.entries()) {
        const answer = answers[place];
        if (answer === undefined) void writeAlone(one);
        else one.answer(answer);
      }
    } catch (error) {
      // Each for itself, so that what is wrong with one is nothing to the others. Not what may have been committed and
      // would have its effect twice; and where the database is away, they all hear that now.
      const isAway = isUnavailable(error) && !isLostRace(error);
      for (const one of group)
        if (isCommitting ? write.isOnce(one.item) : !isAway) void writeAlone(one);
        else one.fail(error);
    }
  }

  /** Resolves when nothing is left to be done for the group but its commit. */
  function begin(group: readonly Waiting<Item, Answer>[]): Promise<void> {
    return new Promise((go) => {
      const ended = writeTogether(group, go);
      const one = { about: new Set(group.map(({ item }) => write.about(item))), ended };
      groups.add(one);
      void ended.then(() => {
        groups.delete(one);
        return go();
      });
    });
  }

  // The first of those that wait, without what another group still holds.
  function nextGroup(): Waiting<Item, Answer>[] {
    const held = ({ item }: Waiting<Item, Answer>) => [...groups].some(({ about }) => about.has(write.about(item)));
    const group: Waiting<Item, Answer>[] = [];
    const later: Waiting<Item, Answer>[] = [];
    for (const one of waiting.splice(0)) (group.length < TOGETHER_MAX && !held(one) ? group : later).push(one);
    waiting.push(...later);
    return group;
  }

  async function writeAll(): Promise<void> {
    isWriting = true;
    while (waiting.length > 0) {
      const group = groups.size < GROUPS_AT_ONCE ? nextGroup() : [];
      const [only] = group;
      if (only === undefined) await Promise.race([...groups].map(({ ended }) => ended));
      else if (group.length === 1 && groups.size === 0 && alone.isFree())
        await settledWithin(HELD_MS, writeAlone(only));
      else await begin(group);
      // What has come in by now, but was not yet looked at, goes with the next.
      await setImmediate();
    }
    isWriting = false;
  }

  return (item) =>
    new Promise((answer, fail) => {
      waiting.push({ item, answer, fail });
      if (!isWriting) void writeAll();
    });
}

// https://www.postgresql.org/docs/current/errcodes-appendix.html: serialization_failure, deadlock_detected.
const isLostRace = (error: unknown) =>
  error instanceof Error && 'code' in error && (error.code === '40001' || error.code === '40P01');

function atMost(max: number): { run: <T>(task: () => Promise<T>) => Promise<T>; isFree: () => boolean } {
  const queue: (() => void)[] = [];
  let running = 0;
  return {
    isFree: () => running < max,
    run: async (task) => {
      if (running < max) running += 1;
      else await new Promise<void>((go) => queue.push(go));
      try {
        return await task();
      } finally {
        const next = queue.shift();
        if (next === undefined) running -= 1;
        else next();
      }
    },
  };
}
