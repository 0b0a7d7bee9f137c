// What a truck's history costs: reads of trucks with 16, 320 and 1,280 readings, each time made anew, and recordings on them.
import { asForm, recordings } from './recordings.ts';
import { regoAt } from './registry-plan.ts';
import { again, type Workload } from './workload.ts';

type Sized = { size: number; trucks: readonly number[] };

const READS = [
  { name: 'HTML vehicle page', path: (rego: string) => `/vehicles/view/${rego}` },
  { name: 'JSON vehicle', path: (rego: string) => `/api/v1/vehicles/${rego}` },
  { name: 'JSON history', path: (rego: string) => `/api/v1/vehicles/${rego}/calibrations` },
  { name: 'PDF of the present state', path: (rego: string) => `/vehicles/report/${rego}.pdf` },
] as const;
const ASKED = 20_000;
// Enough for V8 to have compiled what a long history needs.
const WARMING = 40;
const RECORDED = 10_000;
const RECORDED_SIZES = [16, 1280];
/** With fewer trucks, each would be visited again within seconds, and refuse what it has already. */
const TRUCKS_MIN = 20;

export function historyWorkloads(sized: readonly Sized[]): Workload[] {
  const reads = READS.flatMap(({ name, path }) =>
    sized.flatMap(({ size, trucks }) => {
      const read = halfOf(trucks, 0);
      const requests = Array.from({ length: ASKED }, (_, nth) =>
        again({ path: path(regoAt(read[nth % read.length] ?? 0)) }, nth),
      );
      const warm = read.slice(0, WARMING).map((index) => ({ path: `${path(regoAt(index))}?warm=` }));
      const row = `${name} of ${size} readings, never asked before`;
      return [{ name: row, connections: 1, requests, inTurn: true, warm, comparedBy: name }];
    }),
  );
  // At one connection, so one truck after the other: a visit's readings come in their order, and the last closes it.
  const writes = sized
    .filter(({ size, trucks }) => RECORDED_SIZES.includes(size) && trucks.length >= TRUCKS_MIN)
    .map(({ size, trucks }) => ({
      name: `record on a truck with ${size} readings`,
      connections: 1,
      requests: recordings(halfOf(trucks, 1), RECORDED, 1).map(asForm),
      inTurn: true,
      comparedBy: 'record',
    }));
  return [...reads, ...writes].filter(({ requests }) => requests.length > 0);
}

// What is recorded would grow the histories that are read.
const halfOf = (trucks: readonly number[], half: 0 | 1): readonly number[] =>
  trucks.length < 2 ? trucks : trucks.filter((_, nth) => nth % 2 === half);
