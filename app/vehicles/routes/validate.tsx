// POST /vehicles/validate/{rego}: an admin validates, or withdraws, with one click.
import { redirect } from 'react-router';
import { requireSignedIn } from '#app/account/session.server.ts';
import { fieldsOf } from '#app/platform/form.server.ts';
import { carryNotice } from '#app/platform/notice-cookie.server.ts';
import { problem } from '#app/platform/problem-details.server.ts';
import { services } from '#app/platform/services.server.ts';
import { decideValidation } from '../decide-validation.server.ts';
import { parseRego } from '../vehicle.ts';
import type { Route } from './+types/validate';

const REASON_MAX = 500;

export async function action({ request, context, params }: Route.ActionArgs) {
  const rego = parseRego(params.rego);
  if (!rego.ok) return problem(404, 'vehicle-unknown', rego.message);
  const form = await fieldsOf(request);
  const validated = form.get('validated') === 'yes';
  const reason = String(form.get('reason') ?? '')
    .normalize('NFC')
    .trim()
    .slice(0, REASON_MAX);
  const { db } = context.get(services);
  const who = requireSignedIn(context);
  const { decided } = await decideValidation(db, who, rego.rego, { validated, reason }, form.get('form_key'));
  const page = `/vehicles/view/${rego.rego}`;
  // One removed meanwhile says so itself: nothing was decided, so nothing is acknowledged.
  if (!decided) return redirect(page, 303);
  const notice = validated ? 'vehicle-validated' : 'validation-withdrawn';
  return redirect(page, { status: 303, headers: { 'set-cookie': carryNotice(notice) } });
}
