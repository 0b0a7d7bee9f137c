// A posted form: decoded here and nowhere else, then parsed by the domain's own schema.
import { createContext, data } from 'react-router';
import type { z } from 'zod';
import type { UnreadForm } from './unread-form.ts';

/** What the form's fields held, to be shown again; a message for each field that is wrong. */
export type FormState<Field extends string> = {
  values: Partial<Record<Field, string>>;
  errors: Partial<Record<Field, string>>;
};
export type ReadForm<T, Field extends string> =
  | { ok: true; input: T; values: Partial<Record<Field, string>> }
  | ({ ok: false } & FormState<Field>);

/** Fields whose text is never sent back. */
const SECRET = /password|repeat|code/i;

/** A body that is no form. `message` is a sentence for whoever sent it. */
export class MalformedForm extends Error {
  readonly status: 400 | 415;
  constructor(message: string, status: 400 | 415 = 400) {
    super(message);
    this.status = status;
  }
}
export const BROKE_OFF = 'The form did not arrive whole. Send it again.';

/** The fields of a form without files. Throws the page that says why there are none. */
export async function fieldsOf(request: Request): Promise<FormData | URLSearchParams> {
  try {
    return await decodeForm(request);
  } catch (error) {
    if (!(error instanceof MalformedForm)) throw error;
    const page = { kind: 'unread-form' as const, sentence: error.message };
    throw data(page satisfies UnreadForm, error.status);
  }
}

/** The same, but throws MalformedForm. The text of one without files is read as it is: `formData()` makes streams of it. */
export async function decodeForm(request: Request): Promise<FormData | URLSearchParams> {
  const type = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase();
  if (type === 'application/x-www-form-urlencoded') {
    const text = await request.text();
    if (!isDecodable(text)) throw new MalformedForm(BROKE_OFF);
    return checked(new URLSearchParams(text));
  }
  if (type === 'multipart/form-data')
    return checked(
      await request.formData().catch(() => {
        throw new MalformedForm(BROKE_OFF);
      }),
    );
  // A button alone may send nothing at all.
  if (type === '' && (await request.text()) === '') return new URLSearchParams();
  throw new MalformedForm('This is not sent as a form. Use the form on the page.', 415);
}

// The standard's decoder lets broken escapes pass; no browser makes them.
function isDecodable(text: string): boolean {
  if (!text.includes('%')) return true;
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function checked<Fields extends FormData | URLSearchParams>(fields: Fields): Fields {
  for (const [name, value] of fields.entries()) refuseNul(name, typeof value === 'string' ? value : value.name);
  return fields;
}

/**
 * Throws for text with a NUL. PostgreSQL takes none, and no keyboard types it: refused rather than taken out, so that
 * nothing is ever stored, or a password set, other than as it was sent.
 */
export function refuseNul(...texts: readonly string[]): void {
  if (texts.some((text) => text.includes('\0')))
    throw new MalformedForm('The form has a character that cannot be stored (NUL). Type that field again.');
}

/** Parses the text fields of `form`. Of several values under one name the last counts. */
export function readForm<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  form: FormData | URLSearchParams | ReadonlyMap<string, string>,
): ReadForm<z.infer<z.ZodObject<Shape>>, Extract<keyof Shape, string>> {
  type Field = Extract<keyof Shape, string>;
  const isField = (name: string): name is Field => name in schema.shape;
  const values: Partial<Record<Field, string>> = {};
  const given: Record<string, string> = {};
  for (const [name, value] of form.entries())
    if (typeof value === 'string' && isField(name)) {
      given[name] = value;
      if (!SECRET.test(name)) values[name] = value;
    }
  const parsed = schema.safeParse(given);
  if (parsed.success) return { ok: true, input: parsed.data, values };
  const errors: Partial<Record<Field, string>> = {};
  for (const { path, message } of parsed.error.issues) {
    const name = String(path[0]);
    if (isField(name)) errors[name] ??= message;
  }
  return { ok: false, values, errors };
}

/**
 * Set when an action refuses a form. Without scripts the page's loader runs next, in the same request: then it must not
 * lead elsewhere, or the refusal and what was typed were lost.
 */
export const wasRefused = createContext<boolean>(false);

/** Whether a script sent the form: then the page stays, tells, and goes on by itself; else a redirect follows at once. */
export function isScripted({ headers }: Request): boolean {
  return headers.get('sec-fetch-dest') === 'empty';
}

/** Whether somebody opens this address in a browser, and so reads what it answers; a program takes the file or a code. */
export function acceptsPage({ headers }: Request): boolean {
  return (headers.get('accept') ?? '').includes('text/html');
}
