// A posted form, from its bytes to its answer: every form takes this way. It is decoded, and its files are uploaded; the
// session still stands; the schema parses it; `write` does what the form is for. What the sender can cause is refused in
// words, with everything typed kept; what he cannot is logged, and answered with a 503. The guard has asked before
// whether he may (access/permissions.ts).
//
// A route's client action is `sendForm` (ui/keep-typed.ts): a request that is lost, or that a proxy answers, becomes the form's
// own failure, and the page stays. Both begin with the words of failures.ts. What is no form is answered with 415, and a broken
// one with 400 and a sentence. A NUL is refused, not taken out: PostgreSQL takes none, no keyboard types it, and nothing is to
// be stored, or a password set, other than as it was sent.
//
// The same form works with and without scripts: a redirect follows a save at once; sent by a script, a save answers with a
// message and where to go, and the page goes on a second later. A form carries a key, so that sent twice it has one effect
// (platform/database/form-key.server.ts): it counts for one kind of write and these values, so that what was changed after a
// lost answer is written too. Files upload when they are chosen and are staged; the form then names them.
//
// A form for a record that others may change carries the texts with which it was opened (ui/merged-edits.tsx). A stale one is
// refused by refuse-stale.server.ts, field by field: what only the other person changed is taken over, what both changed is
// marked, with a box that keeps theirs.
import { data, redirect, type RouterContextProvider } from 'react-router';
import { z } from 'zod';
import { requireSignedIn, requireStillSignedIn } from '#app/access/session.server.ts';
import type { ReceivedForm } from '#app/files/read-multipart.server.ts';
import { receiveForm } from '#app/files/receive-form.server.ts';
import { listStaged } from '#app/files/stage-upload.server.ts';
import type { UploadRole } from '#app/files/store-upload.server.ts';
import { decodeForm, isScripted, MalformedForm, readForm, wasRefused } from '#app/platform/http/form.server.ts';
import { KEEP_THEIRS, keepTheirs, openedName } from '#app/platform/http/merge-edits.ts';
import { carryNotice } from '#app/platform/http/notice-cookie.server.ts';
import { requestId, services } from '#app/platform/services/services.server.ts';
import type { FormAnswer } from '#app/ui/form-answer.ts';
import { FLASH_MESSAGES, type FlashName } from './flash-messages.ts';

/** A route's action is given it. */
export type Submission = { request: Request; context: Readonly<RouterContextProvider> };

/** Why nothing was written. `cause` follows the form's own words of failure: a code, a full stop, a sentence. */
export type Refusal<Field extends string> = Omit<Partial<FormAnswer<Field>>, 'failure' | 'saved'> & {
  status: number;
  cause?: string;
  retryAfterSeconds?: number;
};

/** Where to go on, and the message there. */
export type Next = { notice: FlashName; to: string };

/**
 * `saved`: the form says so, and the next page comes a second later. `goTo`: the next page comes at once, and says so.
 * `shown`: this page is made anew, and shows it. A Response goes out as it is.
 */
export type Outcome<Field extends string> =
  | { saved: Next }
  | { goTo: Next }
  | { shown: true }
  | { refused: Refusal<Field> }
  | Response;

/** Nothing was written: with which status, and why. */
export const refused = <Field extends string>(
  status: number,
  why: Omit<Refusal<Field>, 'status'>,
): { refused: Refusal<Field> } => ({ refused: { status, ...why } });

/** Of a form that is a button. */
export const NO_FIELDS = z.object({});

export type SubmittedForm<Shape extends z.ZodRawShape> = {
  /** The form's own words of failure, as in the specification's catalogue: 'Error adding vehicle:'. */
  failure: string;
  /** What is true after a failure on our side. */
  nothing?: string;
  schema: z.ZodObject<Shape>;
  /** Fields that the address says, whatever the form says. */
  fixed?: Readonly<Record<string, string>>;
  /** Files that the form carries: `<field>_file` is uploaded as its role, and its id joins the values of `<field>`. */
  uploads?: Readonly<Record<string, UploadRole>>;
  /** Said at a field with every refusal, where nothing else is: what has to be typed again. */
  again?: Partial<Record<Extract<keyof Shape, string>, string>>;
  write: (sent: {
    input: z.infer<z.ZodObject<Shape>>;
    /** Written under it, a form that is sent twice has one effect (platform/form-key.server.ts). */
    formKey: unknown;
    form: ReceivedForm;
  }) => Promise<Outcome<Extract<keyof Shape, string>>>;
};

type Answer<Field extends string> = Response | ReturnType<typeof data<FormAnswer<Field>>>;

export async function submitForm<Shape extends z.ZodRawShape>(
  { request, context }: Submission,
  { failure, nothing = 'Nothing was saved.', schema, fixed = {}, uploads, again = {}, write }: SubmittedForm<Shape>,
): Promise<Answer<Extract<keyof Shape, string>>> {
  type Field = Extract<keyof Shape, string>;
  const given = context.get(services);
  const shown: FormAnswer<Field> = { values: {}, errors: {} };
  const refuse = ({ status, cause, retryAfterSeconds, ...more }: Refusal<Field>) => {
    context.set(wasRefused, true);
    const answer: FormAnswer<Field> = {
      ...shown,
      ...more,
      values: { ...shown.values, ...more.values },
      errors: { ...again, ...more.errors },
    };
    if (cause !== undefined) answer.failure = `${failure} ${cause}`;
    const headers: HeadersInit = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
    return data(answer, { status, headers });
  };
  try {
    const form = uploads === undefined ? collect(await decodeForm(request)) : await receive(request, context, uploads);
    for (const [name, value] of Object.entries(fixed)) form.fields.set(name, value);
    const replaced = keepTheirs(form.fields, form.all.get(KEEP_THEIRS) ?? []);
    if (replaced.length > 0) shown.merged = { replaced };
    const read = readForm(schema, form.fields);
    shown.values = { ...openedTexts(form), ...read.values };
    if (uploads !== undefined) shown.staged = await stagedOf(context, form, uploads);
    if (form.notStored !== undefined) throw form.notStored;
    const fileErrors = fileErrorsOf(form);
    if (!read.ok) return refuse({ status: 400, errors: read.errors, fileErrors });
    if (Object.keys(fileErrors).length > 0) return refuse({ status: 400, fileErrors });
    const outcome = await write({ input: read.input, formKey: form.fields.get('form_key'), form });
    if (outcome instanceof Response) return outcome;
    if ('refused' in outcome) return refuse(outcome.refused);
    if ('shown' in outcome) return data<FormAnswer<Field>>({ values: {}, errors: {} });
    const { to, notice } = 'saved' in outcome ? outcome.saved : outcome.goTo;
    if ('saved' in outcome && isScripted(request))
      return data<FormAnswer<Field>>({ values: {}, errors: {}, saved: { notice: FLASH_MESSAGES[notice], to } });
    return redirect(to, { status: 303, headers: { 'set-cookie': carryNotice(notice) } });
  } catch (error) {
    if (error instanceof MalformedForm)
      return refuse({ status: error.status, cause: `form-malformed. ${error.message}` });
    // A way on, or a page that says what is wrong.
    if (!(error instanceof Error)) throw error;
    given.log.error({ err: error, request: context.get(requestId) }, `a form was not taken: ${failure}`);
    return refuse({ status: 503, cause: `registry-unavailable. ${nothing} Try again in a moment.` });
  }
}

type Received = ReceivedForm & { notStored?: Error | undefined };

// An upload may take minutes, and the session end meanwhile.
async function receive(
  request: Request,
  context: Submission['context'],
  uploads: Readonly<Record<string, UploadRole>>,
): Promise<Received> {
  const given = context.get(services);
  const who = requireSignedIn(context);
  const form = await receiveForm(given, who.personId, request, uploads);
  await requireStillSignedIn(given, request, who);
  return form;
}

function collect(sent: FormData | URLSearchParams): Received {
  const form: Received = { fields: new Map(), all: new Map(), refused: new Map() };
  for (const [name, value] of sent.entries()) {
    if (typeof value !== 'string') continue;
    form.fields.set(name, value);
    form.all.set(name, [...(form.all.get(name) ?? []), value]);
  }
  return form;
}

/** What was uploaded with this form or before it, to be listed again. */
async function stagedOf(
  context: Submission['context'],
  { all }: ReceivedForm,
  uploads: Readonly<Record<string, UploadRole>>,
): Promise<NonNullable<FormAnswer['staged']>> {
  const { personId } = requireSignedIn(context);
  const { db } = context.get(services);
  const staged: Record<string, { id: string; name: string }[]> = {};
  for (const field of Object.keys(uploads)) staged[field] = await listStaged(db, personId, all.get(field) ?? []);
  return staged;
}

// The texts with which the form was opened: it carries them on.
const openedTexts = ({ fields }: ReceivedForm): Record<string, string> =>
  Object.fromEntries([...fields].filter(([name]) => name.startsWith(openedName(''))));

// A file field's message stands at the field of its ids.
const fileErrorsOf = ({ refused }: ReceivedForm): Record<string, string> =>
  Object.fromEntries([...refused].map(([field, reason]) => [field.replace(/_file$/, ''), reason]));
