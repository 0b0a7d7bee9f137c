import { redirect } from 'react-router';
import { acceptsPage } from '#app/platform/http/form.server.ts';
import { carryFlash } from '#app/platform/http/flash-cookie.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import type { FlashName } from '#app/forms/flash-messages.ts';
import { listHref, parseListQuery } from '#app/vehicles/list-query.ts';
import { ownList } from '#app/vehicles/own-list.server.ts';
import { answerSheet, type NoLabels } from '../answer-labels.server.ts';
import type { Route } from './+types/sheet';

const MESSAGES: Record<NoLabels['state'], FlashName> = {
  'too-many': 'labels-too-many',
  none: 'labels-none',
  'no-public-url': 'labels-no-address',
};

// Sends a person back to the list, which says why.
export function loader({ request, context, url: asked }: Route.LoaderArgs) {
  const url = ownList(asked, context);
  const services = context.get(servicesContext);
  if (!acceptsPage(request)) return answerSheet(services, url);
  return answerSheet(services, url, ({ state }) =>
    redirect(listHref(parseListQuery(url.searchParams)), {
      status: 303,
      headers: { 'set-cookie': carryFlash(MESSAGES[state]) },
    }),
  );
}
