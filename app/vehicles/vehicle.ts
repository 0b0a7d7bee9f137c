// The identifiers of a vehicle: its rego (the plate), and its VIN or older chassis number. Both are normalised, so that
// one truck has one spelling.

/** The result of parsing a rego: its normalised spelling, or why the text is not a rego. */
export type ParsedRego = { ok: true; rego: string } | { ok: false; reason: 'missing' | 'invalid'; message: string };

export const REGO_MAX_LENGTH = 20;
export const VIN_MAX_LENGTH = 30;
const SEARCH_MAX_LENGTH = 30;

/** NFKC, upper case, without spaces, hyphens and dots: 'abc 123', 'ABC-123' and 'ＡＢＣ１２３' are one rego. */
export function parseRego(text: string): ParsedRego {
  const rego = squeeze(text);
  if (rego === '') return { ok: false, reason: 'missing', message: 'A rego is required: letters A to Z and digits.' };
  if (rego.length > REGO_MAX_LENGTH)
    return { ok: false, reason: 'invalid', message: `A rego has at most ${REGO_MAX_LENGTH} letters and digits.` };
  if (!/^[A-Z0-9]+$/.test(rego))
    return { ok: false, reason: 'invalid', message: 'A rego has only letters A to Z and digits 0 to 9.' };
  return { ok: true, rego };
}

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

/** The search text normalised as regos are, without other characters; '' if no letter or digit is left. */
export function normaliseSearch(text: string): string {
  return squeeze(text)
    .replace(/[^A-Z0-9]/g, '')
    .slice(0, SEARCH_MAX_LENGTH);
}

function squeeze(text: string): string {
  return text
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[\s.\-\u2010-\u2015\u2212\u200b]/g, '');
}
