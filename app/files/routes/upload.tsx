// POST /uploads: uploads a file when it is chosen in a form. Answers with the id that the form then sends.
import { requireSignedIn } from '#app/access/session.server.ts';
import { MalformedForm } from '#app/platform/http/form.server.ts';
import { problem } from '#app/platform/http/problem-details.server.ts';
import { requestId, servicesContext } from '#app/platform/services/services.server.ts';
import { receiveForm } from '../receive-form.server.ts';
import { TOO_MANY } from '../temporary-upload.server.ts';
import type { Route } from './+types/upload';

const ROLES = { image: 'image', certificate: 'certificate' } as const;

export async function action({ request, context }: Route.ActionArgs) {
  const services = context.get(servicesContext);
  const { personId } = requireSignedIn(context);
  try {
    const form = await receiveForm(services, personId, { request, roles: ROLES });
    if (form.notStored !== undefined) throw form.notStored;
    const [refusal] = [...form.refused.values()];
    if (refusal !== undefined)
      return problem(422, refusal === TOO_MANY ? 'too-many-files' : 'file-refused', { detail: refusal });
    const [upload] = form.uploads;
    if (upload === undefined) return problem(400, 'file-missing', { detail: 'No file was sent.' });
    return Response.json({ id: upload.id }, { status: 201 });
  } catch (error) {
    if (error instanceof MalformedForm) return problem(error.status, 'form-malformed', { detail: error.message });
    services.log.error({ err: error, request: context.get(requestId) }, 'an upload was not stored');
    return problem(503, 'registry-unavailable', { detail: 'The file was not stored. Try again in a moment.' });
  }
}
