// Exact arithmetic on decimal text. Slopes are quotients, so values are fractions of whole numbers. Values are rounded
// only for display, and become binary floating-point numbers only for drawing.

/** `n / d`; `d` is above zero. */
export type Fraction = Readonly<{ n: bigint; d: bigint }>;

export const whole = (value: number | bigint): Fraction => ({ n: BigInt(value), d: 1n });

/** Parses decimal text such as '-0.840'. Throws if it is not a decimal number. */
export function parseDecimal(text: string): Fraction {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  if (match === null) throw new Error(`not a decimal number: ${text}`);
  const [, sign = '', integer = '', decimals = ''] = match;
  const n = BigInt(integer + decimals);
  return { n: sign === '-' ? -n : n, d: 10n ** BigInt(decimals.length) };
}

export const add = (a: Fraction, b: Fraction): Fraction => ({ n: a.n * b.d + b.n * a.d, d: a.d * b.d });
export const subtract = (a: Fraction, b: Fraction): Fraction => ({ n: a.n * b.d - b.n * a.d, d: a.d * b.d });
export const multiply = (a: Fraction, b: Fraction): Fraction => ({ n: a.n * b.n, d: a.d * b.d });

/** Throws on a division by zero. */
export function divide(a: Fraction, b: Fraction): Fraction {
  if (b.n === 0n) throw new Error('division by zero');
  return b.n > 0n ? { n: a.n * b.d, d: a.d * b.n } : { n: -a.n * b.d, d: a.d * -b.n };
}

export const absolute = (a: Fraction): Fraction => (a.n < 0n ? { n: -a.n, d: a.d } : a);

/** The same value; sums of many keep small numbers by it. */
export function lowestTerms({ n, d }: Fraction): Fraction {
  let [one, other] = [n < 0n ? -n : n, d];
  while (other !== 0n) [one, other] = [other, one % other];
  return { n: n / one, d: d / one };
}

/** Below zero, zero or above it, as `a` is less than, equal to or more than `b`. */
export function compare(a: Fraction, b: Fraction): number {
  const difference = a.n * b.d - b.n * a.d;
  if (difference === 0n) return 0;
  return difference < 0n ? -1 : 1;
}

export const isNegative = (a: Fraction): boolean => a.n < 0n;

/** Decimal text with `places` decimals, halves away from zero; never '-0'. */
export function formatFraction(a: Fraction, places: number): string {
  const scale = 10n ** BigInt(places);
  const size = a.n < 0n ? -a.n : a.n;
  const rounded = (2n * size * scale + a.d) / (2n * a.d);
  const digits = String(rounded).padStart(places + 1, '0');
  const cut = digits.length - places;
  const text = places === 0 ? digits : `${digits.slice(0, cut)}.${digits.slice(cut)}`;
  return a.n < 0n && rounded !== 0n ? `-${text}` : text;
}

/** For drawing only. */
export const toNumber = (a: Fraction): number => Number(formatFraction(a, 6));
