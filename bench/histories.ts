// npm run bench -- histories [CHECKOUT ...]: what a truck's history costs. Page, JSON, PDF and a visit of trucks with
// 16, 320 and 1,280 readings, each made again; the rows of one kind stand below each other, and long ones are to cost
// little more than short.
import { measureInTurn, type Row } from './in-turn.ts';
import { each, JSON_HISTORY, JSON_VEHICLE, PAGE, parts, visits } from './rows.ts';

const SIZES = [16, 320, 1280];
const READS = [
  ['page', PAGE],
  ['JSON vehicle', JSON_VEHICLE],
  ['JSON history', JSON_HISTORY],
  ['PDF', (rego: string) => `/vehicles/report/${rego}.pdf`],
] as const;

const reads = READS.flatMap(([name, at], nth) =>
  SIZES.map((size): Row => {
    const trucks = parts('read', [1, 1, 1, 1], size)[nth] ?? [];
    return { name: `${name} of ${size} readings`, connections: 1, ask: each(trucks, at) };
  }),
);
const writes = SIZES.map((size): Row => {
  const [trucks = []] = parts('recorded', [1], size);
  return { name: `visit at a truck with ${size} readings`, connections: 1, as: 'technician', ask: visits(trucks) };
});
const rows = [...reads, ...writes];
await measureInTurn(rows, process.argv.slice(2));
