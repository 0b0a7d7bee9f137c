// npm run bench -- registry [CHECKOUT ...]: pages, JSON, searches and a visit at national size, in turn with other
// checkouts (in-turn.ts says how).
import { measureInTurn, type Row } from './in-turn.ts';
import { each, inTurnOf, JSON_HISTORY, JSON_VEHICLE, needles, PAGE, parts, visits } from './rows.ts';

// No rego and no VIN of the generated registry has an I or an O in it.
const ABSENT = ['I', 'O', 'II', 'IO', 'AI9', 'OO7', 'B1I', 'IIIIII', 'ABC1O2', 'XO04KL'];
const [pages = [], few = [], vehicles = [], fewVehicles = [], histories = []] = parts('read', [6, 4, 30, 18, 22]);
const [alone = [], beside = []] = parts('recorded', [1, 1]);
const search = (needle: string) => `/api/v1/vehicles?q=${needle}`;

const rows: Row[] = [
  { name: 'page never asked before', connections: 16, ask: each(pages, PAGE) },
  { name: 'page never asked before', connections: 1, ask: each(few, PAGE) },
  { name: 'page, cached', connections: 16, ask: (nth) => each(pages, PAGE)(nth % 20) },
  { name: 'JSON vehicle never asked before', connections: 16, ask: each(vehicles, JSON_VEHICLE) },
  { name: 'JSON vehicle never asked before', connections: 1, ask: each(fewVehicles, JSON_VEHICLE) },
  { name: 'JSON history never asked before', connections: 16, ask: each(histories, JSON_HISTORY) },
  ...[1, 2, 3, 6].map((length) => ({
    name: `JSON search, ${length} character${length === 1 ? '' : 's'}`,
    connections: 16,
    ask: inTurnOf(needles(length), search),
  })),
  { name: 'JSON search, absent', connections: 16, ask: inTurnOf(ABSENT, search) },
  { name: 'search page', connections: 16, ask: inTurnOf(needles(3), (needle) => `/search?q=${needle}&page=1`) },
  { name: 'office list', connections: 16, as: 'admin', ask: inTurnOf(needles(3), (needle) => `/vehicles?q=${needle}`) },
  { name: 'dashboard', connections: 4, as: 'admin', ask: () => ({ path: '/dashboard' }) },
  { name: 'visit of sixteen readings', connections: 1, as: 'technician', ask: visits(alone) },
  { name: 'visit of sixteen readings', connections: 8, as: 'technician', ask: visits(beside) },
];
await measureInTurn(rows, process.argv.slice(2));
