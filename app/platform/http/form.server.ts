// Decodes a posted form. read-form.ts parses its fields.
import { createContext } from 'react-router';
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

/**
 * The fields of a form. Throws MalformedForm. A form without files is read as text, as `formData()` would make a
 * stream.
 */
export async function decodeForm(request: Request): Promise<FormData | URLSearchParams> {
  const type = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase();
  if (type === 'application/x-www-form-urlencoded') {
    const text = await request.text();
    // URLSearchParams accepts broken escapes, which no browser sends.
    if (text.includes('%') && decodeEscapes(text) === undefined) throw new MalformedForm(BROKE_OFF);
    return checked(new URLSearchParams(text));
  }
  if (type === 'multipart/form-data')
    return checked(
      await request.formData().catch(() => {
        throw new MalformedForm(BROKE_OFF);
      }),
    );
  // A form with nothing but a button may have no body and no type.
  if (type === '' && (await request.text()) === '') return new URLSearchParams();
  throw new MalformedForm('This is not sent as a form. Use the form on the page.', 415);
}

function checked<Fields extends FormData | URLSearchParams>(fields: Fields): Fields {
  for (const [name, value] of fields.entries()) refuseNul(name, typeof value === 'string' ? value : value.name);
  return fields;
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
