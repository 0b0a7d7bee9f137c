// /visits/{id}: one visit, with all that an admin needs to decide about it. With ?set-aside the sheet of reasons is
// open.
import ArrowRight from 'lucide-react/icons/arrow-right';
import { data, href, Link, useNavigate, useSearchParams } from 'react-router';
import { IfMay, useMay } from '#app/access/use-may.tsx';
import { requireSignedIn } from '#app/access/session.server.ts';
import { Subscription } from '#app/activity-log/subscription.tsx';
import { FAILURES } from '#app/forms/failures.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { Card } from '#app/ui/card.tsx';
import { unlessClosing } from '#app/ui/dialog-address.ts';
import { FactList } from '#app/ui/fact-list.tsx';
import { FormNotes } from '#app/ui/form-notes.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import { RegoChip } from '#app/vehicles/plate.tsx';
import { VerdictBadge } from '#app/vehicles/verdict-badge.tsx';
import { KeyHint } from '#app/ui/key-hint.tsx';
import { useKeys } from '#app/ui/use-keys.ts';
import { CheckList } from '../check-list.tsx';
import { CheckVisitCard } from '#app/check-visits/office/check-visit-card.tsx';
import { decideAction } from '../decide-action.server.ts';
import { ACCEPT_FORM, DecideForm, SetAsideSheet } from '../decide-form.tsx';
import { LinesAndReadings } from '../visit-lines.tsx';
import { visitPage, type Share, type VisitPage } from '../visit-page.server.ts';
import type { Route } from './+types/visit';

export function meta({ matches, loaderData }: Route.MetaArgs): Route.MetaDescriptors {
  const title = loaderData === undefined ? 'No such visit' : `Visit of ${loaderData.rego}`;
  return [{ title: `${title} · ${matches[0].loaderData?.registryName ?? ''}` }];
}

export async function loader({ params, context }: Route.LoaderArgs) {
  const page = await visitPage(context.get(servicesContext), requireSignedIn(context), params.id);
  if (page === undefined) throw data(null, { status: 404, statusText: 'Not Found' });
  return page;
}

export const shouldRevalidate = unlessClosing('set-aside');

export const action = (args: Route.ActionArgs) => decideAction(args, args.params.id);

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, FAILURES.visit);

export default function Visit({ loaderData: page, actionData: answer }: Route.ComponentProps) {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const { id, rego, may, notYours } = page;
  const mayDecide = useMay()('decide visits');
  const isYours = mayDecide && notYours === null;
  useKeys({
    ...(may.accept && isYours ? { a: () => acceptForm()?.requestSubmit() } : {}),
    ...(may.setAside && isYours ? { s: () => void navigate('?set-aside', { preventScrollReset: true }) } : {}),
  });
  return (
    <main id="main" className="grid gap-3" key={id}>
      <Subscription topics={['visits', 'policy', `vehicle:${rego}`]} since={page.since} />
      <IfMay to="decide visits">
        <div className="flex justify-end gap-4">
          <KeyHint keys={['A']} words="accept" />
          <KeyHint keys={['S']} words="set aside" />
        </div>
      </IfMay>
      <FormNotes answer={answer?.values.decision === 'set-aside' && params.has('set-aside') ? undefined : answer} />
      <Head page={page} />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 xl:grid-cols-[minmax(0,1fr)_18rem]">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <CheckList checks={page.checks} policyVersion={page.policyVersion}>
            <LinesAndReadings page={page} />
          </CheckList>
        </div>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <Papers page={page} />
          <CheckVisitCard id={id} checkVisit={page.checkVisit} />
          <Patterns page={page} />
          <Decisions page={page} />
        </div>
      </div>
      {params.has('set-aside') && may.setAside && isYours ? (
        <SetAsideSheet page={page} answer={answer} />
      ) : (
        <IfMay to="decide visits">
          <DecideForm page={page} answer={answer} />
        </IfMay>
      )}
    </main>
  );
}

function acceptForm(): HTMLFormElement | undefined {
  const form = document.getElementById(ACCEPT_FORM);
  return form instanceof HTMLFormElement ? form : undefined;
}

function Head({ page }: { page: VisitPage }) {
  const { rego, title, recorded, technician, now, ifAccepted, stateWord } = page;
  return (
    <section className="card flex flex-wrap items-center justify-between gap-4 p-4">
      <div className="flex flex-wrap items-center gap-4">
        <Link to={href('/vehicles/view/:rego', { rego })} className="quiet-link inline-flex min-h-11 items-center">
          <RegoChip rego={rego} />
        </Link>
        <div>
          <h1 className="text-lg">{title}</h1>
          <p className="text-sm text-ink-2">{`${stateWord} · ${recorded} by ${technician}`}</p>
        </div>
      </div>
      <dl className="flex flex-wrap items-center gap-3 text-sm">
        <div>
          <dt className="text-ink-2">Now</dt>
          <dd className="flex items-center gap-2">
            <VerdictBadge verdict={now.verdict} />
            {now.due}
          </dd>
        </div>
        {ifAccepted === null ? null : (
          <>
            <ArrowRight size={18} aria-hidden="true" className="text-ink-3 max-sm:hidden" />
            <div>
              <dt className="text-ink-2">If accepted</dt>
              <dd className="flex items-center gap-2">
                <VerdictBadge verdict={ifAccepted.verdict} />
                {ifAccepted.due}
              </dd>
            </div>
          </>
        )}
      </dl>
    </section>
  );
}

function Patterns({ page: { patterns } }: { page: VisitPage }) {
  if (patterns.length === 0) return null;
  return (
    <Card title="Patterns" id="patterns">
      <FactList facts={patterns.map(({ name, numbers }) => ({ label: name, value: numbers }))} />
      <p className="border-t border-line px-5 py-3 text-sm text-ink-2">
        Nothing is listed by one visit. <Link to={href('/patterns/method')}>How the night decides</Link>
      </p>
    </Card>
  );
}

// Label beside value also in the narrow column, so that all of it is on one screen.
const NARROW_FACTS = 'text-sm [&_dd]:min-w-32! [&_dl]:py-1! [&_dl>div]:py-1.5! [&_dt]:w-20!';

function Papers({ page }: { page: VisitPage }) {
  const { id, facts, isMatchable, certificate, share, technician } = page;
  return (
    <>
      <Photo page={page} />
      <section className={`card ${NARROW_FACTS}`} aria-labelledby="papers">
        <h2 id="papers" className="sr-only">
          Weighbridge and papers
        </h2>
        <FactList
          facts={[
            ...(facts.length === 0 ? [{ label: 'Weighed at', value: 'Single readings name none' }] : facts),
            ...(certificate === null
              ? []
              : [{ label: 'Certificate', value: <a href={certificate}>On the vehicle’s record</a> }]),
          ]}
        />
        {isMatchable ? (
          <IfMay to="decide visits">
            <p className="border-t border-line px-5">
              <Link to={href('/visits/:id/match', { id })} className="inline-flex min-h-11 items-center text-sm">
                Find the weighbridge in the register
              </Link>
            </p>
          </IfMay>
        ) : null}
      </section>
      {share === null || share.own.total === 0 ? null : (
        <section className={`card ${NARROW_FACTS}`} aria-labelledby="share">
          <h2 id="share" className="px-5 pt-3 text-sm">
            Share of visits that waited, 12 months
          </h2>
          <FactList
            facts={[
              { label: technician, value: <ShareBar share={share.own} /> },
              { label: 'Everybody', value: <ShareBar share={share.everybody} /> },
            ]}
          />
        </section>
      )}
    </>
  );
}

function ShareBar({ share: { waited, total } }: { share: Share }) {
  return (
    <>
      <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" className="h-2 w-full bg-sunken">
        <rect width={(100 * waited) / total} height="8" fill="currentColor" />
      </svg>
      <b>{`${((100 * waited) / total).toFixed(1)}\u00a0%`}</b>
      <span className="font-normal">{`, ${waited} of n\u00a0=\u00a0${total.toLocaleString('en-AU')}`}</span>
    </>
  );
}

function Photo({ page: { id, photos, photoHiddenOn } }: { page: VisitPage }) {
  if (photos.length === 0 && photoHiddenOn === null) return null;
  return (
    <section className="card p-3" aria-labelledby="photo">
      <h2 id="photo" className={photos.length === 0 ? 'text-sm' : 'sr-only'}>
        {photos.length > 1 ? 'Photos' : 'Photo'}
      </h2>
      {photos.length === 0 ? (
        <p>{`Hidden on ${photoHiddenOn}. Its hash stays, so a copy is still found.`}</p>
      ) : (
        <div className="flex flex-wrap items-center gap-3">
          {photos.map((photo) => (
            <a key={photo} href={photo}>
              <img
                src={`${photo}/thumbnail`}
                alt="As the technician took it"
                className="max-h-24 max-w-full rounded-md"
              />
            </a>
          ))}
          <IfMay to="decide visits">
            <Link to={href('/visits/:id/hide-photo', { id })} className="inline-flex min-h-11 items-center text-sm">
              {photos.length > 1 ? 'Hide these photos' : 'Hide this photo'}
            </Link>
          </IfMay>
        </div>
      )}
    </section>
  );
}

function Decisions({ page: { decisions } }: { page: VisitPage }) {
  if (decisions.length === 0) return null;
  return (
    <Card title="Decisions" id="decisions">
      <ul>
        {decisions.map(({ words, reason, note, alone }) => (
          <li key={words} className="border-b border-line px-5 py-3 text-sm last:border-b-0">
            <span className="block font-semibold">{words}</span>
            {reason === '' ? null : <span className="block">{reason}</span>}
            {note === '' ? null : <span className="block wrap-anywhere text-ink-2">{note}</span>}
            {alone ? <span className="block text-ink-2">Nobody else could look.</span> : null}
          </li>
        ))}
      </ul>
    </Card>
  );
}
