// POST /field/visits: a phone sends a visit that it captured. Answers as JSON (`SentAnswer`); a photo was uploaded
// before.
import { requireSignedIn } from '#app/access/session.server.ts';
import { readFields } from '#app/forms/read-fields.server.ts';
import { MalformedForm } from '#app/platform/http/form.server.ts';
import { problem } from '#app/platform/http/problem-details.server.ts';
import { requestId, servicesContext } from '#app/platform/services/services.server.ts';
import { recordCapturedVisit } from '../record-captured-visit.server.ts';
import type { Route } from './+types/visits';

export async function action({ request, context }: Route.ActionArgs) {
  const services = context.get(servicesContext);
  try {
    const form = await readFields(request);
    const answer = await recordCapturedVisit(services, requireSignedIn(context), form);
    return Response.json(answer, { status: answer.recorded ? 200 : 409 });
  } catch (error) {
    if (error instanceof MalformedForm) return problem(error.status, 'form-malformed', { detail: error.message });
    services.log.error({ err: error, request: context.get(requestId) }, 'a captured visit was not recorded');
    return problem(503, 'registry-unavailable', { detail: 'Nothing was recorded. Try again in a moment.' });
  }
}
