// /technicians/erase/{id}: the personal data of a removed technician are erased, for good. What they recorded stays.
import { data, Form, Link, redirect } from 'react-router';
import { parseEmailKey } from '#app/account/account.ts';
import { emailSegment } from '#app/account/email-key.ts';
import { erasePerson, type EraseAnswer } from '#app/account/erase-person.server.ts';
import { requireSignedIn } from '#app/account/session.server.ts';
import { carryNotice } from '#app/platform/notice-cookie.server.ts';
import { requestId, services } from '#app/platform/services.server.ts';
import { TextField, useFocusOnError } from '#app/ui/field.tsx';
import { keepTyped } from '#app/ui/keep-typed.ts';
import { Note } from '#app/ui/note.tsx';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import { findTechnician } from '../queries.server.ts';
import type { Route } from './+types/erase';

export function meta({ matches }: Route.MetaArgs): Route.MetaDescriptors {
  return [{ title: `Erase personal data · ${matches[0].loaderData?.registryName ?? ''}` }];
}

const FAILURE = 'Error erasing:';
const REASON_MAX_LENGTH = 500;

type Answer = { reason: string; error?: string; failure?: string };

async function removedTechnician(context: Route.LoaderArgs['context'], id: string) {
  const email = parseEmailKey(id);
  const found = email === undefined ? undefined : await findTechnician(context.get(services).db, email);
  if (found === undefined) throw data(null, { status: 404, statusText: 'Not Found' });
  return found;
}

export async function loader({ params, context }: Route.LoaderArgs) {
  const { email, repName, companyName, deletedAt } = await removedTechnician(context, params.id);
  if (deletedAt === null) throw redirect(`/technicians/view/${emailSegment(email)}`);
  return { email, name: repName || companyName || email };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const given = context.get(services);
  const reason = String((await request.formData()).get('reason') ?? '').trim();
  const wrong =
    reason === ''
      ? 'Enter the reason.'
      : reason.length > REASON_MAX_LENGTH
        ? `Use at most ${REASON_MAX_LENGTH} characters.`
        : undefined;
  if (wrong !== undefined) return data<Answer>({ reason, error: wrong }, { status: 400 });
  const refuse = (status: number, cause: string) =>
    data<Answer>({ reason, failure: `${FAILURE} ${cause}` }, { status });
  try {
    const { personId } = await removedTechnician(context, params.id);
    const answer = await erasePerson(given, requireSignedIn(context), personId, reason);
    if (answer.erased)
      return redirect('/technicians', { status: 303, headers: { 'set-cookie': carryNotice('person-erased') } });
    return refuse(409, causeOf(answer.reason));
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    given.log.error({ err: error, request: context.get(requestId) }, 'a person’s data were not erased');
    return refuse(503, 'registry-unavailable. Nothing was erased. Try again in a moment.');
  }
}

function causeOf(reason: Extract<EraseAnswer, { erased: false }>['reason']): string {
  switch (reason) {
    case 'still-active':
      return 'still-active. This person has access to the registry. Remove them first.';
    case 'application-open':
      return 'application-open. This person asked to be registered again. Decide on that first.';
    case 'erased-already':
    case 'unknown':
      return 'erased-already. Their data were erased before.';
  }
}

export const clientAction = ({ request, serverAction }: Route.ClientActionArgs) =>
  keepTyped(request, serverAction, ({ typed, cause }): Answer => ({
    reason: typed['reason'] ?? '',
    failure: `${FAILURE} ${cause}`,
  }));

export default function ErasePerson({ loaderData: { email, name }, actionData }: Route.ComponentProps) {
  const form = useFocusOnError(actionData);
  return (
    <main id="main" className="max-w-160">
      <h1 className="pb-3 text-xl wrap-anywhere">{`Erase the personal data of ${name}`}</h1>
      {actionData?.failure === undefined ? null : (
        <div className="pb-5">
          <Note kind="error">{actionData.failure}</Note>
        </div>
      )}
      <p className="pb-3">
        Name, address, contact and licence are erased everywhere, with the keys that open the public log’s entries to
        them. It cannot be undone, by anybody.
      </p>
      <p className="pb-5 text-ink-2">
        The calibrations they recorded stay, under “Erased person”, and every proof still holds. The log says what was
        erased and when.
      </p>
      <Form ref={form} method="post" className="card grid gap-5 p-6 max-row:p-4" noValidate>
        <TextField
          name="reason"
          label="Reason"
          hint="Kept in the activity log. Name nobody."
          maxLength={REASON_MAX_LENGTH}
          required
          autoComplete="off"
          defaultValue={actionData?.reason}
          error={actionData?.error}
        />
        <div className="flex flex-wrap gap-3">
          <SubmitButton look="danger">Erase</SubmitButton>
          <Link to={`/technicians/view/${emailSegment(email)}`} className="button-look button-secondary">
            Cancel
          </Link>
        </div>
      </Form>
    </main>
  );
}
