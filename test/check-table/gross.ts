// The rows of the check 'gross': the ticket of the whole after the groups by themselves.
import { weighingsText, type Weighing } from '#app/readings/weighings.ts';
import type { CheckAnswer } from '#app/visits/visit-facts.ts';
import { never, row, type Row } from './recipe.ts';

const NO_WEIGHINGS = 'single entries and exports have no weighings';
const wholeAt = (kg: number): { weighings: string } => {
  const both: Weighing = { load: 'empty', deck: ['STEER', 'DRIVE'], kg: 9000 };
  return { weighings: weighingsText([{ load: 'empty', deck: ['STEER'], kg: 4000 }, both, { ...both, kg }]) };
};

export const GROSS: Record<CheckAnswer, Row> = {
  passed: row(
    'Empty: the groups give 9,000\u00a0kg, the ticket of the whole 9,010\u00a0kg: 10\u00a0kg apart (limit 40\u00a0kg).',
    {
      'single entries': NO_WEIGHINGS,
      set: (cell) => cell.set(wholeAt(9010)),
      correction: (cell) => cell.set(wholeAt(9010)).then(() => cell.correct()),
      import: NO_WEIGHINGS,
    },
  ),
  failed: row(
    'Empty: the groups give 9,000\u00a0kg, the ticket of the whole 9,100\u00a0kg: 100\u00a0kg apart (limit 40\u00a0kg).',
    {
      'single entries': NO_WEIGHINGS,
      set: (cell) => cell.set(wholeAt(9100)),
      correction: (cell) => cell.set(wholeAt(9100)).then(() => cell.correct()),
      import: NO_WEIGHINGS,
    },
  ),
  'cannot be told': never('without weighings that follow from others it is no check of the visit'),
};
