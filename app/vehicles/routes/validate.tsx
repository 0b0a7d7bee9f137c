// POST /vehicles/validate/{rego}: an admin validates, or withdraws, with one click.
import { redirect } from 'react-router';
import { z } from 'zod';
import { requireSignedIn } from '#app/account/session.server.ts';
import { FAILURES } from '#app/forms/failures.ts';
import { submitForm } from '#app/forms/submit-form.server.ts';
import { problem } from '#app/platform/problem-details.server.ts';
import { services } from '#app/platform/services.server.ts';
import { sendForm } from '#app/ui/keep-typed.ts';
import { decideValidation } from '../decide-validation.server.ts';
import { parseRego } from '../vehicle.ts';
import type { Route } from './+types/validate';

const REASON_MAX = 500;
const decisionSchema = z.object({
  validated: z
    .string()
    .default('')
    .transform((word) => word === 'yes'),
  reason: z
    .string()
    .default('')
    .transform((text) => text.normalize('NFC').trim().slice(0, REASON_MAX)),
});

export function action(args: Route.ActionArgs) {
  const parsed = parseRego(args.params.rego);
  if (!parsed.ok) return problem(404, 'vehicle-unknown', parsed.message);
  const { rego } = parsed;
  return submitForm(args, {
    failure: FAILURES.validation,
    schema: decisionSchema,
    async write({ input, formKey }) {
      const { db } = args.context.get(services);
      const { decided } = await decideValidation(db, requireSignedIn(args.context), rego, input, formKey);
      const to = `/vehicles/view/${rego}`;
      // One removed meanwhile says so itself: nothing was decided, so nothing is acknowledged.
      if (!decided) return redirect(to, 303);
      return { goTo: { notice: input.validated ? 'vehicle-validated' : 'validation-withdrawn', to } };
    },
  });
}

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, FAILURES.validation);
