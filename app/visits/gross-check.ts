// The check 'gross': weighings that follow from earlier ones, as the ticket of the whole does, against what those give.
import { formatValue } from '#app/readings/calibration.ts';
import { deckWords, LOADS, type LoadCheck } from '#app/readings/weighings.ts';
import type { Checked } from './visit-facts.ts';

const kg = (value: number): string => `${formatValue(String(Math.round(value)))}\u00a0kg`;

/** Undefined: no weighing follows from others. What differs comes first. */
export function judgeGross(checks: readonly LoadCheck[]): Checked | undefined {
  if (checks.length === 0) return undefined;
  const sentences = checks.toSorted((one, other) => Number(one.agrees) - Number(other.agrees)).map(loadCheckWords);
  return [checks.every(({ agrees }) => agrees) ? 'passed' : 'failed', sentences.join(' ')];
}

/** 'Loaded: the groups give 22,160 kg, the ticket of the whole 22,180 kg: 20 kg apart (limit 80 kg).' */
export function loadCheckWords({ load, deck, kg: shown, differenceKg, allowedKg, isGross }: LoadCheck): string {
  const label = LOADS.find((one) => one.load === load)?.label ?? '';
  const of = isGross ? 'the ticket of the whole' : deckWords(deck);
  const given = `the ${isGross ? 'groups' : 'weighings before'} give ${kg(shown - differenceKg)}, ${of} ${kg(shown)}`;
  return `${label}: ${given}: ${kg(Math.abs(differenceKg))} apart (limit ${kg(allowedKg)}).`;
}
