// What is taken out of every record of an export: text that PostgreSQL cannot keep, keys too long to be found
// by, and nesting without end. Done once here, so that no later step has to.

/** A value as it can be stored; `cleaned` when something had to be taken out of it. */
export type Cleaned = { value: unknown; cleaned: boolean };

// The former database allowed 32 levels and keys of 768 bytes.
const DEPTH_MAX = 40;
const KEY_MAX_LENGTH = 300;

/** `value` without NUL and halves of characters, in text and in field names; undefined when it is nested too deep. */
export function cleanValue(value: unknown): Cleaned | undefined {
  const state = { cleaned: false, tooDeep: false };
  const cleaned = clean(value, 0, state);
  return state.tooDeep ? undefined : { value: cleaned, cleaned: state.cleaned };
}

/** Why a record cannot be known by `key`, or undefined. */
export function keyFault(key: string): string | undefined {
  if (key.length > KEY_MAX_LENGTH) return `the key is longer than ${KEY_MAX_LENGTH} characters`;
  return cleanText(key) === key ? undefined : 'the key holds characters that no text can hold';
}

/** The first `max` characters, never half of one. */
export function shorten(text: string, max: number): string {
  return text.length <= max ? text : text.slice(0, max).replace(/[\ud800-\udbff]$/, '');
}

type State = { cleaned: boolean; tooDeep: boolean };

function clean(value: unknown, depth: number, state: State): unknown {
  if (typeof value === 'string') {
    const text = cleanText(value);
    if (text !== value) state.cleaned = true;
    return text;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= DEPTH_MAX) {
    state.tooDeep = true;
    return null;
  }
  if (Array.isArray(value)) return value.map((part) => clean(part, depth + 1, state));
  // The parser assigns fields, and a field named __proto__ sets the prototype.
  const prototype: unknown = Object.getPrototypeOf(value);
  const hidden = prototype === Object.prototype ? [] : [['__proto__', prototype] as const];
  const entries = [...Object.entries(value), ...hidden].map(([key, part]): [string, unknown] => {
    const name = cleanText(key);
    if (name !== key) state.cleaned = true;
    return [name, clean(part, depth + 1, state)];
  });
  return Object.fromEntries(entries);
}

function cleanText(text: string): string {
  return text.isWellFormed() && !text.includes('\u0000') ? text : text.toWellFormed().replaceAll('\u0000', '');
}
