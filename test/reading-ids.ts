// The ids of readings that are recorded at one moment: those that they get one after the other, in some order.

/** All that readings of these milliseconds can get, each in the order of `times`. `taken`: the ids that are there. */
export const possibleIds = (times: readonly number[], taken: readonly number[] = []): number[][] =>
  orders(times.map((ms, place) => ({ place, ms }))).map((order) => idsInOrder(order, taken));

const orders = <Item>(items: readonly Item[]): Item[][] =>
  items.length === 0
    ? [[]]
    : items.flatMap((item, place) => orders(items.toSpliced(place, 1)).map((rest) => [item, ...rest]));

// The first millisecond from its time on that is after all ids of that time and later.
function idsInOrder(order: readonly { place: number; ms: number }[], taken: readonly number[]): number[] {
  const ids: number[] = [];
  for (const { place, ms } of order) {
    const later = [...taken, ...ids].filter((id) => id >= ms);
    ids[place] = later.length === 0 ? ms : Math.max(...later) + 1;
  }
  return ids;
}
