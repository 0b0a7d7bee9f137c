// What a scale showed at its check loads, in words that anyone may read: under the verdict in two lines, and in a card.
import { formatDay } from '#app/platform/time/calendar.ts';
import { formatValue } from '#app/readings/calibration.ts';
import { METHOD_VERSION, worstOf, type ToldError } from '#app/readings/errors-at-check.ts';
import { axleLabel, type Axle } from '#app/vehicles/axle.ts';
import { absolute, formatFraction, isNegative, type Fraction } from '#app/readings/fraction.ts';
import type { Decision, ErrorAtLoad } from '#app/readings/judge-error.ts';
import type { EvidenceNote } from './evidence-words.ts';
import type { CheckLook, EvidenceCard } from './present-evidence.ts';

/** `word`: in a table. `lead`: under the verdict. No look is a verdict's. */
const DECISIONS: Record<Decision, { word: string; lead: string; look: CheckLook }> = {
  conforms: { word: 'Conforms', lead: 'The scale conforms.', look: 'passed' },
  'conforms-not-beyond-doubt': {
    word: 'Conforms, not beyond doubt',
    lead: 'Conforms, not beyond doubt.',
    look: 'noted',
  },
  'does-not-conform-not-beyond-doubt': {
    word: 'Does not conform, not beyond doubt',
    lead: 'Does not conform, not beyond doubt.',
    look: 'noted',
  },
  'does-not-conform': { word: 'Does not conform', lead: 'The scale does not conform.', look: 'failed' },
  'cannot-be-told': { word: 'Cannot be told', lead: 'The error cannot be told.', look: 'untold' },
};

export const decisionWord = (decision: Decision): string => DECISIONS[decision].word;

const kg = (mass: Fraction): string => `${formatValue(formatFraction(mass, 0))}\u00a0kg`;
const doubt = ({ expanded }: ErrorAtLoad): string => `±\u00a0${formatValue(String(Math.ceil(expanded)))}\u00a0kg`;

/** '120 kg more, ± 96 kg' */
function byHowMuch(error: ErrorAtLoad): string {
  const size = formatFraction(absolute(error.error), 0);
  const side = isNegative(error.error) ? 'less' : 'more';
  return `${size === '0' ? 'the same' : `${formatValue(size)}\u00a0kg ${side}`}, ${doubt(error)}`;
}

/** 'At 16,120 kg the scale showed 16,240 kg: 120 kg more (0.7 %), ± 96 kg. The tolerance is 500 kg. It conforms.' */
export function errorSentence({ error, decision, tolerance }: ToldError): string {
  if (error === undefined) return 'It cannot be told: a group on the deck has no line.';
  const { weighed, indicated, percent } = error;
  const part = percent === undefined ? '' : ` (${formatFraction(absolute(percent), 1)}\u00a0%)`;
  const showed = `At ${kg(weighed)} the scale showed ${kg(indicated)}: ${byHowMuch(error).replace(',', `${part},`)}.`;
  return `${showed} The tolerance is ${kg(tolerance)}. ${ENDS[decision]}`;
}

const ENDS: Record<Decision, string> = {
  conforms: 'It conforms.',
  'conforms-not-beyond-doubt': 'It conforms, not beyond doubt.',
  'does-not-conform-not-beyond-doubt': 'It does not conform, not beyond doubt.',
  'does-not-conform': 'It does not conform.',
  'cannot-be-told': 'It cannot be told: the doubt is as large as the tolerance.',
};

/** 'Drive', 'Drive, load 2', 'The whole' */
export function errorName({ axle, load }: ToldError): string {
  if (axle === null) return 'The whole';
  return load === 0 ? axleLabel(axle) : `${axleLabel(axle)}, load ${load + 1}`;
}

const ICONS = { passed: 'check', noted: 'info', failed: 'x', untold: 'circle-question-mark' } as const;

/** The two lines under the verdict. None where no check load was weighed: the lines' card says so. */
export function errorNotes(errors: readonly ToldError[]): EvidenceNote[] {
  if (errors.length === 0) return [];
  const worst = worstOf(errors);
  const { error, tolerance } = worst ?? {};
  const words =
    error === undefined || tolerance === undefined ? 'See why' : `${byHowMuch(error)}. Limit ${kg(tolerance)}`;
  const { lead, look } = DECISIONS[worst?.decision ?? 'cannot-be-told'];
  return [{ look: 'error', quiet: ICONS[look], lead, rest: '', card: null, link: { to: '#lines', words } }];
}

type Of = { visitedOn: string; policyVersion: number; intervalKg: number | null; assumedKg: number };

/** For the page's lines: of each group, and of the whole, in few words, as the tolerance stands below. */
export const errorsByGroup = (errors: readonly ToldError[]): Map<Axle | null, string> =>
  new Map([...Map.groupBy(errors, ({ axle }) => axle)].map(([axle, own]) => [axle, own.map(shortSentence).join(' ')]));

function shortSentence({ error, decision }: ToldError): string {
  const { word } = DECISIONS[decision];
  if (error === undefined) return `${word}.`;
  return `At ${kg(error.weighed)} it showed ${kg(error.indicated)}: ${byHowMuch(error)}. ${word}.`;
}

/** For the report: each check load of each group, then the whole; null: none was weighed. */
export function errorCard(errors: readonly ToldError[], of: Of): EvidenceCard | null {
  if (errors.length === 0) return null;
  const checks = errors.map((told) => {
    const { look, word } = DECISIONS[told.decision];
    return { check: null, name: errorName(told), look, answer: word, sentence: errorSentence(told), isRequired: false };
  });
  return {
    id: 'errors',
    title: 'Error at the check load',
    visit: `Visit of ${formatDay(of.visitedOn)}`,
    state: null,
    word: '',
    about: 'What the scale showed at a load that was weighed after its adjustment. It never changes the verdict.',
    groups: [{ title: 'Against the tolerance', checks }],
    foot: `Doubt (±): two standard uncertainties, ${intervalWords(of)}, and from the last digit of the output. Method version ${METHOD_VERSION}, at /method.`,
    policyVersion: of.policyVersion,
  };
}

export const intervalWords = ({ intervalKg, assumedKg }: Pick<Of, 'intervalKg' | 'assumedKg'>): string =>
  intervalKg === null
    ? `from an assumed interval of ${assumedKg}\u00a0kg, as the weighbridge’s is not known`
    : `from the weighbridge’s interval of ${intervalKg}\u00a0kg`;
