// /visits/{id}/hide-photo: asks for confirmation, then hides the photo of a visit because it shows people.
import { useState } from 'react';
import { data, href, redirect } from 'react-router';
import { z } from 'zod';
import { requireSignedIn } from '#app/access/session.server.ts';
import { findPhotoOfVisit, hidePhoto, showPhoto } from '#app/visits/hide-photo.server.ts';
import { FAILURES } from '#app/forms/failures.ts';
import { refused, submitForm } from '#app/forms/submit-form.server.ts';
import { newIdempotencyKey } from '#app/platform/database/idempotency-key.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { formatDay } from '#app/platform/time/calendar.ts';
import { ConfirmSheet } from '#app/ui/confirm-sheet.tsx';
import { FormNotes } from '#app/ui/form-notes.tsx';
import { titled } from '#app/ui/page-title.ts';
import { sendForm } from '#app/ui/send-form.ts';
import { RegoChip } from '#app/vehicles/plate.tsx';
import type { Route } from './+types/hide-photo';

export const meta = titled('Hide photo');

export async function loader({ params: { id }, context }: Route.LoaderArgs) {
  const found = await findPhotoOfVisit(context.get(servicesContext).db, id);
  if (found === undefined) throw data(null, { status: 404, statusText: 'Not Found' });
  if (found.photoHiddenAt !== null) throw redirect(href('/visits/:id', { id }));
  const { rego, visitedOn, photoId } = found;
  return {
    id,
    rego,
    title: `Photo of the visit of ${formatDay(visitedOn)}`,
    thumbnail: `/files/${photoId}/thumbnail`,
    idempotencyKey: newIdempotencyKey(),
  };
}

export const action = (args: Route.ActionArgs) =>
  submitForm(args, {
    failure: FAILURES.photo,
    nothing: 'Nothing was hidden.',
    schema: z.object({ undo: z.string().optional() }),
    async write({ input: { undo }, key }) {
      const { db, now } = args.context.get(servicesContext);
      const { id } = args.params;
      const [who, to] = [requireSignedIn(args.context), href('/visits/:id', { id })];
      if (undo !== undefined) {
        const { shown } = await showPhoto(db, who, { visitId: id, now: now(), key });
        return { goTo: { flash: shown ? 'photo-shown' : 'photo-stays-hidden', to } };
      }
      const answer = await hidePhoto(db, who, { visitId: id, now: now(), key });
      if (answer.hidden) return { goTo: { flash: 'photo-hidden', to, about: id } };
      return answer.reason === 'unknown'
        ? refused(404, { code: 'visit-unknown', sentence: 'There is no such visit.' })
        : refused(404, { code: 'photo-unknown', sentence: 'This visit has no photo.' });
    },
  });

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, FAILURES.photo);

export default function HidePhoto({ loaderData, actionData }: Route.ComponentProps) {
  // What is asked about stays the same while the dialog is open.
  const [{ id, rego, title, thumbnail, idempotencyKey }] = useState(loaderData);
  return (
    <ConfirmSheet
      heading={title}
      title="Hide photo"
      back={href('/visits/:id', { id })}
      idempotencyKey={idempotencyKey}
      confirm="Hide"
    >
      <FormNotes answer={actionData} />
      <div>
        <RegoChip rego={rego} />
      </div>
      <img
        src={thumbnail}
        alt="As the technician took it"
        className="max-h-60 max-w-full justify-self-start rounded-md"
      />
      <p className="text-lg font-bold">Hide this photo for good?</p>
      <p className="text-sm text-ink-2">
        For a photo that shows people. Nobody can open it any more, administrators included. Its hash stays, so a copy
        is still found.
      </p>
    </ConfirmSheet>
  );
}
