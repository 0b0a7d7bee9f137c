// A number as people type it in Australia: a comma groups thousands, a point begins the decimals. A phone with another
// country's settings has a comma for the point, or other digits. One parser for every form, file and address, in the
// browser and on the server.
import { plainText } from '#app/platform/process/typed-text.ts';

/** What may stand behind a number in a field of this unit. */
const UNITS = {
  V: /^v(olts?)?$/i,
  kPa: /^kpa$/i,
  'mV/V': /^mv\/v$/i,
  counts: /^(counts?|cts?)$/i,
  kg: /^(kgs?|kilos?|kilogram(me)?s?|㎏)$/i,
  '°': /^(°|deg|degrees?)$/i,
  '%': /^(%|percent|per cent)$/i,
  days: /^(d|days?)$/i,
} as const;
export type EnteredUnit = keyof typeof UNITS;

const PLAIN = /^-?\d{1,15}(\.\d{1,15})?$/;
const GROUPED = /^-?[1-9]\d{0,2}([, ]\d{3})+(\.\d+)?$/;
const DECIMAL_COMMA = /^-?\d{1,15},\d{1,15}$/;
// Nobody has thousands of volts: with so few digits behind it the comma is a point, and with three nobody can tell.
const COMMA_OF_VOLTS = /^-?\d{1,15},\d{1,2}$/;
const EITHER_IN_VOLTS = /^-?\d{1,3},\d{3}$/;
// Arabic and Persian digits: the last four bits are the digit.
const OTHER_DIGITS = /[\u0660-\u0669\u06f0-\u06f9]/g;

export type EnteredNumber = { ok: true; value: string } | { ok: false; message: string };

/**
 * `value`: decimal text, every digit as entered, without commas, spaces and unit: '4,780.50 kg' is '4780.50'. In volts
 * '3,18' is '3.18', and '3,180' is asked about; elsewhere a comma that groups nothing is refused. `example` ends the
 * sentence 'Enter a number such as …'. `unit`: what the field takes; undefined where it is not chosen.
 */
export function readNumber(text: string, example: string, unit?: EnteredUnit): EnteredNumber {
  const typed = digitsOf(text, unit);
  if (unit === 'V' && COMMA_OF_VOLTS.test(typed)) return { ok: true, value: typed.replace(',', '.') };
  if (unit === 'V' && EITHER_IN_VOLTS.test(typed))
    return {
      ok: false,
      message: `Is it ${typed.replace(',', '.')} V or ${typed.replace(',', '').replace(/^(-?)0+/, '$1')} V? Use a point, or no comma.`,
    };
  const value =
    GROUPED.test(typed) && !(typed.includes(',') && typed.includes(' ')) ? typed.replaceAll(/[, ]/g, '') : typed;
  if (PLAIN.test(value)) return { ok: true, value };
  return {
    ok: false,
    message: DECIMAL_COMMA.test(typed)
      ? `Use a point: ${typed.replace(',', '.')}`
      : `Enter a number such as ${example}.`,
  };
}

// With plain digits and marks, without the unit and the spaces around marks.
function digitsOf(text: string, unit: EnteredUnit | undefined): string {
  const plain = plainText(text)
    .replaceAll(OTHER_DIGITS, (digit) => String(digit.charCodeAt(0) & 15))
    .replaceAll('\u066b', '.')
    .replaceAll('\u066c', ',')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const [, number = plain, behind = ''] = /^(.*?\d) ?([^\d\s.,][^\d.,]*)\.?$/u.exec(plain) ?? [];
  const known =
    behind !== '' && Object.entries(UNITS).some(([one, words]) => words.test(behind) && one === (unit ?? one));
  return (known ? number : plain).replace(/^[\u2010-\u2015\u2212-] ?/, '-').replaceAll(/ ?([.,]) ?/g, '$1');
}
