// A number as people in Australia write it: a comma groups thousands, a point begins the decimals. One parser for every
// form and address, in the browser and on the server.

const PLAIN = /^-?\d{1,15}(\.\d{1,15})?$/;
const GROUPED = /^-?[1-9]\d{0,2}(,\d{3})+(\.\d+)?$/;
const DECIMAL_COMMA = /^-?\d{1,15},\d{1,15}$/;

export type EnteredNumber = { ok: true; value: string } | { ok: false; message: string };

/**
 * `value`: decimal text, every digit as entered, without the commas: '4,780.50' is '4780.50'. A comma that groups
 * nothing is refused and never taken for a point. `example` ends the sentence 'Enter a number such as …'.
 */
export function readNumber(text: string, example: string): EnteredNumber {
  const typed = text.trim().replace('\u2212', '-');
  const value = GROUPED.test(typed) ? typed.replaceAll(',', '') : typed;
  if (PLAIN.test(value)) return { ok: true, value };
  return {
    ok: false,
    message: DECIMAL_COMMA.test(typed)
      ? `Use a point: ${typed.replace(',', '.')}`
      : `Enter a number such as ${example}.`,
  };
}
