// npm run bench -- visits [CHECKOUT ...]: visits of sixteen readings, one form each, by one to sixteen technicians at
// once, beside nothing else: processor time with PostgreSQL's part, and latencies. With `night` alone: the nightly look
// for patterns at a year of 4,000,000 readings.
import { measureInTurn, type Row } from './in-turn.ts';
import { parts, visits } from './rows.ts';

const AT_ONCE = [1, 2, 4, 8, 16];
const [, , first] = process.argv;
if (first === 'night') await import('./patterns-night.ts');
else if (first === 'crowd') await import('./patterns-crowd.ts');
else {
  const lists = parts('recorded', [1, 1, 2, 3, 3]);
  const rows = AT_ONCE.map((connections, nth): Row => {
    const ask = visits(lists[nth] ?? []);
    return { name: 'visit of sixteen readings', connections, as: 'technician', ask };
  });
  await measureInTurn(rows, process.argv.slice(2));
}
