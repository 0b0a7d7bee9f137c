// Decodes a posted form. read-form.ts parses its fields.
import { createContext } from 'react-router';
import { inThreadTurn } from '#app/platform/process/few-at-once.server.ts';
import { decodeEscapes } from './decode-escapes.ts';

/** The body is not a valid form. `message` is a sentence for the sender. */
export class MalformedForm extends Error {
  readonly status: 400 | 415;
  constructor(message: string, status: 400 | 415 = 400) {
    super(message);
    this.status = status;
  }
}
export const BROKE_OFF = 'The form did not arrive whole. Send it again.';

/** More than any form of ours has, in all and of one name. What is dear in a form grows with its fields. */
export const FIELDS_MAX = 1000;
const SAME_NAME_MAX = 400;

/** A list of the greatest length. */
export const TEXT_MAX_BYTES = 1024 * 1024;

/** Collects the fields of a form, each in the same time, however many came before it. */
export class FormFields {
  /** The last value under each name. */
  readonly fields = new Map<string, string>();
  /** Every value of each name. */
  readonly all = new Map<string, string[]>();
  #count = 0;

  /** Throws MalformedForm for a NUL, and for more fields than a form may have. */
  add(name: string, value: string): void {
    refuseNul(name, value);
    if ((this.#count += 1) > FIELDS_MAX) throw tooManyFields();
    const values = this.all.get(name) ?? [];
    if (values.length === 0) this.all.set(name, values);
    if (values.push(value) > SAME_NAME_MAX)
      throw new MalformedForm(`A form has at most ${SAME_NAME_MAX} fields of one name.`);
    this.fields.set(name, value);
  }
}

export const tooManyFields = (): MalformedForm =>
  new MalformedForm(`A form has at most ${FIELDS_MAX.toLocaleString('en-AU')} fields.`);

/** Adds the fields of a form without files to `form`, and counts them while the body is read. Throws MalformedForm. */
export async function decodeForm<Form extends FormFields>({ headers, body }: Request, form: Form): Promise<Form> {
  const type = mediaTypeOf(headers);
  // A form with nothing but a button may have no body and no type.
  const text = type === URLENCODED || type === '' ? await encodedText(body) : undefined;
  if (text === undefined || (type === '' && text !== ''))
    throw new MalformedForm('This is not sent as a form. Use the form on the page.', 415);
  const decode = () => {
    // URLSearchParams accepts broken escapes, which no browser sends.
    if (text.includes('%') && decodeEscapes(text) === undefined) throw new MalformedForm(BROKE_OFF);
    for (const [name, value] of new URLSearchParams(text)) form.add(name, value);
    return form;
  };
  return text.length < LONG_TEXT ? decode() : inThreadTurn(async () => decode());
}

// Fifty long lists that arrive together would hold the thread for half a second: others have their turn between two.
const LONG_TEXT = 20_000;

const URLENCODED = 'application/x-www-form-urlencoded';
const [BLANK, AND, PLUS] = [0x20, 0x26, 0x2b];

export const mediaTypeOf = (headers: Headers): string =>
  (headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';

async function encodedText(body: ReadableStream<Uint8Array> | null): Promise<string> {
  const decoder = new TextDecoder();
  let [text, bytes, count] = ['', 0, 1];
  try {
    for await (const chunk of body ?? []) {
      bytes += chunk.length;
      for (let at = 0; at < chunk.length; at += 1) {
        if (chunk[at] === AND) count += 1;
        // URLSearchParams takes ten times as long for a plus as for a blank.
        else if (chunk[at] === PLUS) chunk[at] = BLANK;
      }
      if (count > FIELDS_MAX) throw tooManyFields();
      if (bytes > TEXT_MAX_BYTES) throw new MalformedForm('The form has too much text.');
      text += decoder.decode(chunk, { stream: true });
    }
  } catch (error) {
    throw error instanceof MalformedForm ? error : new MalformedForm(BROKE_OFF);
  }
  return text + decoder.decode();
}

/**
 * Throws for text with a NUL, which PostgreSQL cannot store and no keyboard types. Removing it would store a text, or
 * set a password, other than the one sent.
 */
export function refuseNul(...texts: readonly string[]): void {
  if (texts.some((text) => text.includes('\0')))
    throw new MalformedForm('The form has a character that cannot be stored (NUL). Type that field again.');
}

/**
 * Set when an action refuses a form. Without scripts the page's loader runs next, in the same request. It must not
 * redirect then, or the message and the typed values would be lost.
 */
export const wasRefused = createContext<boolean>(false);

/**
 * Whether a script sent the form. Then the page shows the message and navigates by itself; else the answer redirects.
 */
export function isScripted({ headers }: Request): boolean {
  return headers.get('sec-fetch-dest') === 'empty';
}

/**
 * Whether a person opens this address in a browser and will read the answer. A program expects a file or a status code.
 */
export function acceptsPage({ headers }: Request): boolean {
  return (headers.get('accept') ?? '').includes('text/html');
}
