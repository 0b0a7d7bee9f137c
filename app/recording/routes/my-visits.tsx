// /my-visits: the visits of the signed-in person, and what became of them. An open one can be finished.
import { z } from 'zod';
import { requireSignedIn } from '#app/access/session.server.ts';
import { Subscription } from '#app/activity-log/subscription.tsx';
import { FAILURES } from '#app/forms/failures.ts';
import { submitForm } from '#app/forms/submit-form.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { FormNotes } from '#app/ui/form-notes.tsx';
import { parseListAddress } from '#app/ui/list-address.ts';
import { titled } from '#app/ui/page-title.ts';
import { sendForm } from '#app/ui/send-form.ts';
import { TabbedList } from '#app/ui/tabbed-list.tsx';
import { NOT_FINISHED } from '../calibration-action.server.ts';
import { finishVisit } from '#app/visits/close-visit.server.ts';
import { MY_LISTS, myListOf, type MyList } from '../my-visits-filter.ts';
import { MyVisitsList } from '../my-visits-list.tsx';
import { myVisitsPage } from '../my-visits-page.server.ts';
import type { Route } from './+types/my-visits';

const PATH = '/my-visits';

export const meta = titled('My visits');

export async function loader({ context, url }: Route.LoaderArgs) {
  const asked = parseListAddress(url.searchParams);
  return myVisitsPage(context.get(servicesContext), requireSignedIn(context), {
    shown: myListOf(url.searchParams),
    ...asked,
  });
}

const finishSchema = z.object({ rego: z.string().default(''), visit: z.string().default('') });

export function action(args: Route.ActionArgs) {
  const { db, config, now } = args.context.get(servicesContext);
  return submitForm(args, {
    failure: FAILURES.visit,
    nothing: 'Nothing was recorded.',
    schema: finishSchema,
    async write({ input: { rego, visit: visitId }, key }) {
      const who = requireSignedIn(args.context);
      const done = await finishVisit(db, who, { rego, visitId, now: now(), zone: config.timeZone, key });
      return done.finished ? { goTo: { flash: 'visit-finished', to: PATH } } : NOT_FINISHED[done.reason];
    },
  });
}

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, FAILURES.visit);

export default function MyVisits({ loaderData, actionData }: Route.ComponentProps) {
  const { since, personId, asked, shown, list, counts, finishKey } = loaderData;
  return (
    <main id="main">
      <Subscription topics={['vehicles', 'policy', `person:${personId}`]} since={since} />
      <h1 className="pb-4 text-xl">
        My visits <span className="font-normal text-ink-3">{counts.all.toLocaleString('en-AU')}</span>
      </h1>
      <FormNotes answer={actionData} />
      <TabbedList
        path={PATH}
        tabs={MY_LISTS.map((tab) => ({ ...tab, count: counts[tab.state].toLocaleString('en-AU') }))}
        shown={shown}
        asked={asked}
        list={list}
        label="my visits"
        placeholder="Search my visits..."
        whenEmpty={asked.text === '' ? EMPTY[shown] : `No visit matches “${asked.text}”.`}
      >
        <MyVisitsList visits={list.items} finishKey={finishKey} />
      </TabbedList>
    </main>
  );
}

const EMPTY: Record<MyList, string> = {
  all: 'You have not recorded any visit yet.',
  open: 'No visit of yours is open.',
  waits: 'No visit of yours waits.',
  partial: 'No visit of yours is partial.',
  'set-aside': 'No visit of yours was set aside.',
};
