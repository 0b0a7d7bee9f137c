// Every posted form is handled here. The steps: decode the body and upload its files; check that the session is still
// valid; parse the fields with the schema; call `write`. An error that the sender can correct is answered in words,
// with everything typed still in the form. Any other error is logged and answered with 503. The guard has checked the
// permission before (access/permissions.ts).
//
// A route's client action is `sendForm` (ui/send-form.ts). When a request is lost, or a proxy answers it, the form
// shows its own failure and the page stays. Every failure begins with the words of failures.ts. A body that is no form
// is answered with 415, a malformed one with 400 and a sentence. A NUL is refused, not removed: PostgreSQL cannot store
// it, no keyboard types it, and a text or a password is never stored other than as it was sent.
//
// The same form works with and without scripts. Without scripts, a redirect follows a save at once. With scripts, a
// save answers with a message and an address, and the page goes there a second later. A form carries an idempotency
// key, so that sent twice it has one effect (platform/database/idempotency-key.server.ts). The key is valid for one
// kind of write and the same values: what the user changes after a lost answer is written too. Files upload when they
// are chosen, as temporary uploads. The form then sends their ids, and its write commits them.
//
// A form for a record that others may change carries the texts with which it was opened (ui/merged-edits.tsx).
// refuse-stale.server.ts refuses a stale form, field by field: a field that only the other person changed shows their
// text, and a field that both changed is marked, with a box to keep theirs.
import { data, replace, type RouterContextProvider } from 'react-router';
import { z } from 'zod';
import { requireSignedIn, requireStillSignedIn } from '#app/access/session.server.ts';
import type { ReceivedForm } from '#app/files/read-multipart.server.ts';
import { receiveForm } from '#app/files/receive-form.server.ts';
import { listTemporaryUploads } from '#app/files/temporary-upload.server.ts';
import type { UploadRole } from '#app/files/store-upload.server.ts';
import { retryIn } from '#app/platform/database/rate-limit.server.ts';
import { isScripted, MalformedForm, wasRefused } from '#app/platform/http/form.server.ts';
import { readForm, type ReadForm } from '#app/platform/http/read-form.ts';
import { KEEP_THEIRS, keepTheirs, openedName } from '#app/platform/http/merge-edits.ts';
import { carryFlash } from '#app/platform/http/flash-cookie.server.ts';
import { requestId, servicesContext, sessionReadAt } from '#app/platform/services/services.server.ts';
import type { Cause, FormAnswer } from '#app/ui/form-answer.ts';
import { FLASH_MESSAGES, type FlashName } from './flash-messages.ts';
import { readFields } from './read-fields.server.ts';

/** The arguments of a route's action that a form needs. */
export type Submission = { request: Request; context: Readonly<RouterContextProvider> };

/** Why nothing was written. A cause is shown after the form's `failure`. */
export type Refusal<Field extends string, More = never> = Omit<
  Partial<FormAnswer<Field, More>>,
  'failure' | 'saved' | 'lost'
> &
  (Cause | { code?: never; sentence?: never }) & { status: number; retryAfterSeconds?: number };

/** The next page, and its flash message. `about`: the id of what the message can undo. */
export type Next = { to: string; flash: FlashName; about?: string | undefined };

/**
 * `saved`: the form shows the message, and the next page follows a second later. `goTo`: redirects at once; the next
 * page shows the message. `shown`: this page reloads and shows the result, with `more`; without scripts it redirects to
 * `unscripted`.
 */
export type Outcome<Field extends string, More = never> =
  | { saved: Next }
  | { goTo: Next | { to: string }; setCookies?: readonly string[] }
  | { shown: true; more?: More; unscripted?: Next; setCookies?: readonly string[] }
  | { refused: Refusal<Field, More> };

/** The outcome when nothing was written: the status, and why. */
export const refused = <Field extends string, More = never>(
  status: number,
  why: Omit<Refusal<Field, More>, 'status'>,
): { refused: Refusal<Field, More> } => ({ refused: { status, ...why } });

/** The refusal of who did too much. `why`: a sentence. */
export const refusedTooMany = (why: string, retryAfterSeconds: number) =>
  refused<never>(429, {
    code: 'too-many-requests',
    sentence: `${why} Try again ${retryIn(retryAfterSeconds)}.`,
    retryAfterSeconds,
  });

/** The schema of a form that has only a button. */
export const NO_FIELDS = z.object({});

type Sent<Input> = {
  input: Input;
  /** The idempotency key: a form that is sent twice has one effect (platform/database/idempotency-key.server.ts). */
  key: unknown;
  form: ReceivedForm;
};

type AnyForm<Input, Field extends string, More> = {
  /** The first words of every failure (failures.ts): 'Error adding vehicle:'. */
  failure: string;
  /** The sentence shown after a failure of the server, by default 'Nothing was saved.' */
  nothing?: string;
  /** Values that come from the address. They override the fields of the form. */
  fixed?: Readonly<Record<string, string>>;
  /** The roles of file fields: `<field>_file` is uploaded, and its id is added to the values of `<field>`. */
  uploads?: Readonly<Record<string, UploadRole>>;
  /** Of each text, where the form takes more than a list. */
  textMaxBytes?: number;
  /** Messages for fields that must be typed again after any refusal, such as a password; errors override them. */
  again?: Partial<Record<Field, string>>;
  write: (sent: Sent<Input>) => Promise<Outcome<Field, More>>;
};

/** A form that a schema reads, field by field. */
export type SubmittedForm<Shape extends z.ZodRawShape, More = never> = AnyForm<
  z.infer<z.ZodObject<Shape>>,
  Extract<keyof Shape, string>,
  More
> & { schema: z.ZodObject<Shape> };

/** A form that one schema cannot parse. `cause`: why the whole form is refused. `more`: shown with every refusal. */
export type ReadingForm<Input, Field extends string, More = never> = AnyForm<Input, Field, More> & {
  read: (form: ReceivedForm) => Read<Input, Field, More> | Promise<Read<Input, Field, More>>;
};
type Read<Input, Field extends string, More> = ReadForm<Input, Field> & { cause?: Cause; more?: More };

type Answer<Field extends string, More> = Response | ReturnType<typeof data<FormAnswer<Field, More>>>;

export const submitForm = <Shape extends z.ZodRawShape, More = never>(
  submission: Submission,
  { schema, ...form }: SubmittedForm<Shape, More>,
): Promise<Answer<Extract<keyof Shape, string>, More>> =>
  submitReadForm(submission, { ...form, read: ({ fields }) => readForm(schema, fields) });

export async function submitReadForm<Input, Field extends string, More = never>(
  { request, context }: Submission,
  {
    failure,
    nothing = 'Nothing was saved.',
    fixed = {},
    uploads,
    textMaxBytes,
    again = {},
    read,
    write,
  }: ReadingForm<Input, Field, More>,
): Promise<Answer<Field, More>> {
  const services = context.get(servicesContext);
  const shown: FormAnswer<Field, More> = { values: {}, errors: {} };
  const refuse = ({ status, code, sentence, retryAfterSeconds, ...more }: Refusal<Field, More>) => {
    context.set(wasRefused, true);
    const answer: FormAnswer<Field, More> = {
      ...shown,
      ...more,
      values: shownAgain({ ...shown.values, ...more.values }),
      errors: { ...again, ...more.errors },
    };
    if (code !== undefined) answer.failure = { lead: failure, code, sentence };
    const headers: HeadersInit = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
    return data(answer, { status, headers });
  };
  try {
    const form: Received =
      uploads === undefined ? await readFields(request, textMaxBytes) : await receive(request, context, uploads);
    for (const [name, value] of Object.entries(fixed)) form.fields.set(name, value);
    const replaced = keepTheirs(form.fields, form.all.get(KEEP_THEIRS) ?? []);
    if (replaced.length > 0) shown.merged = { replaced };
    const found = await read(form);
    shown.values = { ...openedTexts(form), ...found.values };
    if (found.more !== undefined) shown.more = found.more;
    if (uploads !== undefined) shown.temporaryUploads = await uploadsOf(context, form, uploads);
    if (form.notStored !== undefined) throw form.notStored;
    const fileErrors = fileErrorsOf(form);
    if (!found.ok) return refuse({ status: 400, errors: found.errors, fileErrors, ...found.cause });
    if (Object.keys(fileErrors).length > 0) return refuse({ status: 400, fileErrors });
    const outcome = await write({ input: found.input, key: form.fields.get('form_key'), form });
    return 'refused' in outcome ? refuse(outcome.refused) : answerOf(outcome, request);
  } catch (error) {
    if (error instanceof MalformedForm)
      return refuse({ status: error.status, code: 'form-malformed', sentence: error.message });
    // A Response or `data()`: a redirect, or an error page.
    if (!(error instanceof Error)) throw error;
    services.log.error({ err: error, request: context.get(requestId) }, `a form failed: ${failure}`);
    return refuse({ status: 503, code: 'registry-unavailable', sentence: `${nothing} Try again in a moment.` });
  }
}

// To write a longer text into a page holds everybody up. No form of ours has one that a person typed.
const SHOWN_AGAIN_MAX = 300_000;

function shownAgain<Values extends FormAnswer['values']>(values: Values): Values {
  for (const name in values) if ((values[name]?.length ?? 0) > SHOWN_AGAIN_MAX) delete values[name];
  return values;
}

function answerOf<Field extends string, More>(
  outcome: Exclude<Outcome<Field, More>, { refused: unknown }>,
  request: Request,
): Answer<Field, More> {
  const done: FormAnswer<Field, More> = { values: {}, errors: {} };
  const scripted = isScripted(request);
  if ('saved' in outcome) {
    const { to, flash } = outcome.saved;
    return scripted ? data({ ...done, saved: { flash: FLASH_MESSAGES[flash], to } }) : goOn(outcome.saved);
  }
  if ('goTo' in outcome) return goOn(outcome.goTo, outcome.setCookies);
  const { more, unscripted, setCookies } = outcome;
  if (unscripted !== undefined && !scripted) return goOn(unscripted, setCookies);
  if (more !== undefined) done.more = more;
  return data(done, { headers: cookies(setCookies) });
}

function goOn(next: Next | { to: string }, setCookies?: readonly string[]): Response {
  const headers = cookies(setCookies);
  if ('flash' in next) headers.append('set-cookie', carryFlash(next.flash, next.about));
  // In place of the form: Go Back does not lead into it.
  return replace(next.to, { status: 303, headers });
}

const cookies = (lines: readonly string[] = []): Headers => new Headers(lines.map((line) => ['set-cookie', line]));

type Received = ReceivedForm & { notStored?: Error | undefined };

// An upload may take minutes, and the session may end meanwhile, so it is checked again afterwards. The guard has just
// checked that of a form without files that is there at once.
const AT_ONCE_MS = 100;
async function receive(
  request: Request,
  context: Submission['context'],
  uploads: Readonly<Record<string, UploadRole>>,
): Promise<Received> {
  const services = context.get(servicesContext);
  const who = requireSignedIn(context);
  const form = await receiveForm(services, who.personId, { request, roles: uploads });
  const isLate = form.uploads.length > 0 || performance.now() - context.get(sessionReadAt) > AT_ONCE_MS;
  if (isLate) await requireStillSignedIn(services, request, who);
  return form;
}

/** The files uploaded with this form or before it, so that the form lists them again. */
async function uploadsOf(
  context: Submission['context'],
  { all }: ReceivedForm,
  uploads: Readonly<Record<string, UploadRole>>,
): Promise<NonNullable<FormAnswer['temporaryUploads']>> {
  const { personId } = requireSignedIn(context);
  const { db } = context.get(servicesContext);
  const found: Record<string, { id: string; name: string }[]> = {};
  for (const field of Object.keys(uploads))
    found[field] = await listTemporaryUploads(db, personId, all.get(field) ?? []);
  return found;
}

// The texts with which the form was opened. The answer returns them, so that the form sends them again.
const openedTexts = ({ fields }: ReceivedForm): Record<string, string> =>
  Object.fromEntries([...fields].filter(([name]) => name.startsWith(openedName(''))));

// The message of `<field>_file` is shown at `<field>`, which holds the ids.
const fileErrorsOf = ({ refused }: ReceivedForm): Record<string, string> =>
  Object.fromEntries([...refused].map(([field, reason]) => [field.replace(/_file$/, ''), reason]));
