// A posted form, parsed once at the door by the domain's own schema.
import { createContext } from 'react-router';
import type { z } from 'zod';

/** What the form's fields held, to be shown again; a message for each field that is wrong. */
export type FormState<Field extends string> = {
  values: Partial<Record<Field, string>>;
  errors: Partial<Record<Field, string>>;
};
export type ReadForm<T, Field extends string> =
  | { ok: true; input: T; values: Partial<Record<Field, string>> }
  | ({ ok: false } & FormState<Field>);

/** Fields whose text is never sent back. */
const SECRET = /password|code/i;

/** What a request brings as a form. The text of one without files is read as it is: `formData()` makes streams of it. */
export async function fieldsOf(request: Request): Promise<FormData | URLSearchParams> {
  const isText = /^application\/x-www-form-urlencoded\s*(;|$)/i.test(request.headers.get('content-type') ?? '');
  return isText ? new URLSearchParams(await request.text()) : request.formData();
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
