// Parses the fields of a form by the schema of the domain, in the server and on a phone without reception.
import type { z } from 'zod';

/** The fields as typed, to be shown again, and a message for each field that is wrong. */
export type FormState<Field extends string> = {
  values: Partial<Record<Field, string>>;
  errors: Partial<Record<Field, string>>;
};
export type ReadForm<T, Field extends string> =
  | { ok: true; input: T; values: Partial<Record<Field, string>> }
  | ({ ok: false } & FormState<Field>);

/** Fields whose text is never sent back. */
const SECRET = /password|repeat|code/i;

/** Parses the text fields of `form`. The last of several values under one name counts. */
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
