// The identifiers of a vehicle: its rego (the plate), and its VIN or older chassis number. Both are normalised, so that
// one truck has one spelling.
import { plainText } from '#app/platform/process/typed-text.ts';
import { APART, STATE } from './state-in.ts';

/** A rego that was typed with its state: 'XV04KL NSW', 'NSW-XV04KL', 'XV04KL (NSW)'. */
export type SetOffState = { rego: string; state: string };

/**
 * The result of parsing a rego: its normalised spelling, or why the text is not a rego. `without`: what it is if it
 * begins or ends with a state. Where the two regos differ, only the registry can tell: a plate may be NT 123.
 */
export type ParsedRego =
  | { ok: true; rego: string; without?: SetOffState }
  | { ok: false; reason: 'missing' | 'invalid'; message: string };

export const REGO_MAX_LENGTH = 20;
export const VIN_MAX_LENGTH = 30;
const SEARCH_MAX_LENGTH = 30;

/**
 * Upper case, without spaces, hyphens, dots and what cannot be seen: 'abc 123', 'ABC-123' and 'ＡＢＣ１２３' are one
 * rego. Other letters are refused: nobody can tell of which plate 'ß' or 'ı' was read.
 */
export function parseRego(text: string): ParsedRego {
  const rego = squeeze(text);
  if (rego === '') return { ok: false, reason: 'missing', message: 'A rego is required: letters A to Z and digits.' };
  const without = setOffState(text);
  if (isRego(rego)) return without === undefined ? { ok: true, rego } : { ok: true, rego, without };
  // With a slash or a bracket, or so long, it is no plate as it is typed.
  if (without !== undefined) return { ok: true, rego: without.rego, without };
  if (rego.length > REGO_MAX_LENGTH)
    return { ok: false, reason: 'invalid', message: `A rego has at most ${REGO_MAX_LENGTH} letters and digits.` };
  return { ok: false, reason: 'invalid', message: 'A rego has only letters A to Z and digits 0 to 9.' };
}

const isRego = (squeezed: string): boolean => squeezed.length <= REGO_MAX_LENGTH && /^[A-Z0-9]+$/.test(squeezed);

const NAMED = new RegExp(`^[A-Z0-9]{1,${REGO_MAX_LENGTH}}(-(${STATE}))?$`);

/** Whether it is a rego as records have it: of a second one with its text it has the state behind it. */
export const isRecordRego = (text: string): boolean => NAMED.test(text);

const IN_FRONT = new RegExp(String.raw`^[\s([{]*(?<state>${STATE})${APART}(?<rest>.+)$`, 'iu');
const BEHIND = new RegExp(String.raw`^(?<rest>.+?)${APART}(?<state>${STATE})[\s)\]}]*$`, 'iu');
/** Longer texts are no rego with a state, and not worth a look. */
const SET_OFF_MAX_LENGTH = 60;

function setOffState(text: string): SetOffState | undefined {
  const typed = plainText(text);
  if (typed.length > SET_OFF_MAX_LENGTH) return undefined;
  for (const pattern of [BEHIND, IN_FRONT]) {
    const { state = '', rest = '' } = pattern.exec(typed)?.groups ?? {};
    const rego = squeeze(rest.replaceAll(/^[\s([{]+|[\s)\]}]+$/g, ''));
    if (rego !== '' && isRego(rego)) return { rego, state: state.toUpperCase() };
  }
  return undefined;
}

/** What to ask where a new rego begins or ends with a state; undefined if there is nothing to ask. */
export function stateQuestion(text: string): string | undefined {
  const parsed = parseRego(text);
  if (!parsed.ok || parsed.without === undefined || parsed.without.rego === parsed.rego) return undefined;
  const { rego, state } = parsed.without;
  return `Is ${state} its state? Then enter ${rego}. If it is part of the plate, enter ${parsed.rego} in one piece.`;
}

/** Words that stand where no VIN is known, as they are normalised. `known_vin()` has the same in SQL. */
export const PLACEHOLDERS: readonly string[] = (
  'TBA TBC TBD TBN NA NIL NONE NULL UNK UNKNOWN UNKOWN UNAVAILABLE MISSING PENDING BLANK EMPTY VIN NOVIN NOTKNOWN ' +
  'NOTAVAILABLE NOTAPPLICABLE NOTSUPPLIED NOTPROVIDED NOTRECORDED NOTYETKNOWN TOBEADVISED TOBECONFIRMED'
).split(' ');

/** Whether it only says that there is no VIN: TBA, N/A, zeros, one character again and again. */
export function isPlaceholder(text: string): boolean {
  const typed = squeeze(text);
  const word = typed.replaceAll(/[^A-Z0-9]/g, '');
  return PLACEHOLDERS.includes(word) || /^(.)\1*$/.test(word) || /^(.)\1+$/u.test(typed);
}

/** A stored VIN, '' if it is a placeholder: older versions took them. */
export const knownVin = (vin: string): string => (isPlaceholder(vin) ? '' : vin);

/** A shorter VIN on two live records is shown to the office, and holds no visit back: it may be a chassis number. */
export const FULL_VIN = 12;

/** A VIN or chassis number in its normalised spelling, '' if empty; undefined if the text cannot be one. */
export function normaliseVin(text: string): string | undefined {
  const vin = squeeze(text);
  return /^[A-Z0-9]*$/.test(vin) && vin.length <= VIN_MAX_LENGTH ? vin : undefined;
}

/** Why a VIN may be wrong, or undefined. Only a warning, because older trucks have chassis numbers. */
export function vinWarning(vin: string): string | undefined {
  if (vin === '') return undefined;
  if (vin.length !== 17) return `A VIN has 17 characters; this has ${vin.length}.`;
  if (/[IOQ]/.test(vin)) return 'A VIN never has the letters I, O or Q.';
  return undefined;
}

/**
 * The search text normalised as regos are, without other characters; '' if no letter or digit is left, or one that no
 * rego and no VIN has: without its 'ß' the text would find other trucks.
 */
export function normaliseSearch(text: string): string {
  const typed = squeeze(text);
  if (/[^\P{L}A-Z]|[^\P{N}0-9]/u.test(typed)) return '';
  return typed.replace(/[^A-Z0-9]/g, '').slice(0, SEARCH_MAX_LENGTH);
}

// Capitals of A to Z alone: that of 'ß' is 'SS'.
function squeeze(text: string): string {
  return plainText(text)
    .replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase())
    .replaceAll(/[\s.\-\u2010-\u2015\u2212\ufe58\ufe63]/g, '');
}
