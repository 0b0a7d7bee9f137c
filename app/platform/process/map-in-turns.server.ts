// Work for the processor that does not hold up what else the process has begun: a block of an import takes a tenth of a
// second of it, while another one has the log's lock and waits for its next statement.
import { setImmediate } from 'node:timers/promises';

const AT_ONCE = 20;

/** `items.map(map)`, some at a time. Rejects with what `map` throws. */
export async function mapInTurns<Item, Made>(items: readonly Item[], map: (item: Item) => Made): Promise<Made[]> {
  const made: Made[] = [];
  for (const item of items) {
    if (made.length > 0 && made.length % AT_ONCE === 0) await setImmediate();
    made.push(map(item));
  }
  return made;
}
