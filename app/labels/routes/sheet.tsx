import { redirect } from 'react-router';
import { acceptsPage } from '#app/platform/http/form.server.ts';
import { carryNotice } from '#app/platform/http/notice-cookie.server.ts';
import { services } from '#app/platform/services/services.server.ts';
import type { FlashName } from '#app/forms/flash-messages.ts';
import { listHref, parseListQuery } from '#app/vehicles/list-query.ts';
import { answerSheet, type NoLabels } from '../answer-labels.server.ts';
import type { Route } from './+types/sheet';

const NOTICE: Record<NoLabels['state'], FlashName> = {
  'too-many': 'labels-too-many',
  none: 'labels-none',
  'no-public-url': 'labels-no-address',
};

// Somebody at a browser stays in the list, which says why.
export function loader({ request, context, url }: Route.LoaderArgs) {
  const given = context.get(services);
  if (!acceptsPage(request)) return answerSheet(given, url);
  return answerSheet(given, url, ({ state }) =>
    redirect(listHref(parseListQuery(url.searchParams)), {
      status: 303,
      headers: { 'set-cookie': carryNotice(NOTICE[state]) },
    }),
  );
}
