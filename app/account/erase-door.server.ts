// The form that erases a removed person's data as it comes in, and the answers to its sender.
import { data, redirect, type RouterContextProvider } from 'react-router';
import { fieldsOf } from '#app/platform/form.server.ts';
import { carryNotice } from '#app/platform/notice-cookie.server.ts';
import { requestId, services } from '#app/platform/services.server.ts';
import { ERASE_FAILURE, ERASE_REASON_MAX_LENGTH, type EraseFormAnswer } from './erase-answer.ts';
import { erasePerson, type EraseAnswer } from './erase-person.server.ts';
import { requireSignedIn } from './session.server.ts';

/** `find` throws the page's answer when there is nobody; `list` is shown after. */
export async function eraseAction(
  request: Request,
  context: Readonly<RouterContextProvider>,
  find: () => Promise<{ personId: string }>,
  list: '/admins' | '/technicians',
) {
  const given = context.get(services);
  const reason = String((await fieldsOf(request)).get('reason') ?? '').trim();
  const error =
    reason === ''
      ? 'Enter the reason.'
      : reason.length > ERASE_REASON_MAX_LENGTH
        ? `Use at most ${ERASE_REASON_MAX_LENGTH} characters.`
        : undefined;
  if (error !== undefined) return data<EraseFormAnswer>({ reason, error }, { status: 400 });
  const refuse = (status: number, cause: string) =>
    data<EraseFormAnswer>({ reason, failure: `${ERASE_FAILURE} ${cause}` }, { status });
  try {
    const { personId } = await find();
    const answer = await erasePerson(given, requireSignedIn(context), personId, reason);
    if (answer.erased) return redirect(list, { status: 303, headers: { 'set-cookie': carryNotice('person-erased') } });
    return refuse(409, causeOf(answer.reason));
  } catch (thrown) {
    if (!(thrown instanceof Error)) throw thrown;
    given.log.error({ err: thrown, request: context.get(requestId) }, 'a person’s data were not erased');
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
