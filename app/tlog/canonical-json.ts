// Canonical JSON, RFC 8785, for what is hashed: equal values have equal bytes. Narrower than the RFC: numbers are safe
// integers only. A fraction is written as text, exactly as it was entered; floats would make the bytes depend on how a
// number passed through a database or a browser.
import { type Bytes, Malformed, utf8 } from './bytes.ts';

// Far deeper than any leaf, and shallow enough that a cycle ends in an error instead of exhausting the stack.
const MAX_DEPTH = 32;

/** The canonical text. Throws for everything that JSON would drop, repair or round. */
export function canonicalJson(value: unknown): string {
  return write(value, 0);
}

export function canonicalBytes(value: unknown): Bytes {
  return utf8(canonicalJson(value));
}

/** Parses a text that must be canonical itself: no white space, no double name, no other order. */
export function parseCanonicalJson(text: string): unknown {
  const value = parse(text);
  if (canonicalJson(value) !== text) throw new Malformed('it is not canonical JSON');
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Malformed('it is not JSON');
  }
}

function write(value: unknown, depth: number): string {
  if (depth > MAX_DEPTH) throw new Malformed('it is nested too deeply');
  if (value === null || value === true || value === false) return String(value);
  if (typeof value === 'number') return writeInteger(value);
  if (typeof value === 'string') return writeString(value);
  if (Array.isArray(value)) return `[${Array.from(value, (item) => write(item, depth + 1)).join(',')}]`;
  if (isPlainObject(value)) return writeObject(value, depth);
  throw new Malformed(`a ${typeof value} has no canonical form here`);
}

function writeInteger(value: number): string {
  if (!Number.isSafeInteger(value)) throw new Malformed('only whole numbers up to 2^53 - 1 are allowed');
  return String(value);
}

// ECMAScript's own escapes are those of RFC 8785 section 3.2.2.2, but it writes lone surrogates, which are no UTF-8.
function writeString(value: string): string {
  // Nearly every text needs no escaping.
  if (PLAIN.test(value)) return `"${value}"`;
  if (/\p{Surrogate}/u.test(value)) throw new Malformed('a text has half a surrogate pair');
  return JSON.stringify(value);
}
const PLAIN = /^[ !#-[\]-~]*$/;

// Array.prototype.sort compares UTF-16 code units, as RFC 8785 section 3.2.3 asks.
function writeObject(value: Readonly<Record<string, unknown>>, depth: number): string {
  let text = '{';
  for (const name of Object.keys(value).sort())
    text += (text === '{' ? '' : ',') + writeString(name) + ':' + write(value[name], depth + 1);
  return text + '}';
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Object.getOwnPropertySymbols(value).length > 0) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
