// How each answer of the check 'seals' comes about.
import type { CheckAnswer } from '#app/visits/visit-facts.ts';
import { NOW } from './cell.ts';
import { plain, row, type Row, type Step } from './recipe.ts';

const NO_SEALS = 'single entries and exports name no seals';

const left: Step = async (cell) => {
  cell.services.setNow('2026-05-04T01:00:00Z');
  await cell.set({ seals_left: '4468 unit; 4469 junction box' });
  cell.services.setNow(NOW);
};
const found = (seals_found: string, says: string, seals_reason = ''): Row =>
  row(says, {
    'single entries': NO_SEALS,
    set: { before: left, record: (cell) => cell.set({ seals_found, seals_reason }) },
    correction: { before: left, record: (cell) => cell.set({ seals_found, seals_reason }).then(() => cell.correct()) },
    import: NO_SEALS,
  });

export const SEALS: Record<CheckAnswer, Row> = {
  passed: found('4469 Junction box; 4468', 'The seals found are those left on 4 May 2026.'),
  failed: found(
    '4471 Unit; 4469 junction box',
    'The seal found on the unit (4471) is not the one left on 4 May 2026 (4468). The technician says: broken on arrival.',
    'broken',
  ),
  'cannot be told': row('The visit does not say which seals were found.', {
    'single entries': { before: left, record: plain['single entries'] },
    set: { before: left, record: plain.set },
    correction: { before: left, record: plain.correction },
    import: NO_SEALS,
  }),
};
