// /vehicles/on/{day}/{rego}: what the registry said at the end of a day.
import { data, href, Link, redirect } from 'react-router';
import { Subscription } from '#app/activity-log/subscription.tsx';
import { topicsOfVehiclePage } from '#app/activity-log/topic.ts';
import { formatDay, isDay, todayIn } from '#app/platform/time/calendar.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { MissingVehicleBoundary } from '#app/shell/missing-vehicle-boundary.tsx';
import { PublicFrame } from '#app/shell/public-frame.tsx';
import { Card } from '#app/ui/card.tsx';
import { FactList } from '#app/ui/fact-list.tsx';
import { stayWhenOffline } from '#app/ui/needs-network.ts';
import { RowIcon } from '#app/ui/row-icon.tsx';
import { useSite } from '#app/ui/site.ts';
import { regoOf } from '#app/vehicles/missing-vehicle.server.ts';
import { Plate } from '#app/vehicles/plate.tsx';
import { VERDICT_ICONS } from '#app/vehicles/verdict-badge.tsx';
import { CalibrationHistory } from '#app/visits/calibration-history.tsx';
import { DayForm } from '../day-form.tsx';
import { EvidenceStrip } from '../evidence-line.tsx';
import { NoAnswer, PastBand } from '../past-banner.tsx';
import { pastPage, readPast, whyNoPast, type PastPage } from '../past-page.server.ts';
import { VehicleFacts } from '../vehicle-facts.tsx';
import type { Route } from './+types/on-day';

export function meta({ loaderData, params, matches }: Route.MetaArgs): Route.MetaDescriptors {
  const name = matches[0].loaderData?.registryName ?? '';
  const said = loaderData?.page == null ? 'no answer' : `it said “${loaderData.page.judgement.word}”`;
  return [
    { title: `The past, ${formatDay(params.day)}: ${params.rego}, ${said} · ${name}` },
    { name: 'robots', content: 'noindex' },
  ];
}

export async function loader({ params, context, url }: Route.LoaderArgs) {
  const services = context.get(servicesContext);
  const { timeZone } = services.config;
  const { day } = params;
  const rego = await regoOf(services.db, params.rego);
  if (day === todayIn(timeZone, services.now())) throw redirect(href('/vehicles/view/:rego', { rego }));
  if (rego !== params.rego) throw redirect(href('/vehicles/on/:day/:rego', { day, rego }));
  const found = await readPast(services, rego, day);
  if (found.state === 'other-plate') throw redirect(href('/vehicles/on/:day/:rego', { day, rego: found.rego }));
  if (found.state !== 'live') return data({ rego, day, page: null, none: whyNoPast(found, rego, day) }, { status: 404 });
  const origin = services.config.publicUrl?.origin ?? url.origin;
  return data({ rego, day, page: await pastPage(services, found.past, origin), none: null });
}

export default function OnDay({ loaderData: { rego, day, page, none } }: Route.ComponentProps) {
  const framed = useSite().signedIn !== null;
  return (
    <>
      {page && <Subscription topics={topicsOfVehiclePage(page.now ?? rego)} since={page.since} />}
      <PublicFrame>
        <main id="main" className={`grid grid-cols-[minmax(0,1fr)] gap-5 ${framed ? '' : 'page pt-8 max-row:pt-4'}`}>
          {none && (
            <NoAnswer words={isDay(day) ? formatDay(day) : day} title={none.title}>
              <p>{none.sentence}</p>
              {none.firstDay && (
                <Link
                  to={href('/vehicles/on/:day/:rego', { day: none.firstDay, rego })}
                  className="button-look button-secondary"
                >{`First day: ${formatDay(none.firstDay)}`}</Link>
              )}
              <Link to={href('/vehicles/view/:rego', { rego })} className="button-look button-secondary">
                See today’s answer
              </Link>
            </NoAnswer>
          )}
          {page && <Past page={page} />}
          <DayForm rego={rego} label="Another day" {...(isDay(day) ? { day } : {})} />
        </main>
      </PublicFrame>
    </>
  );
}

function Past({ page }: { page: PastPage }) {
  const { rego, day, dayWords, judgement, sentence, line, log, changes, changed, now } = page;
  const file = `/api/v1/vehicles/${rego}/on/${day}/proof`;
  return (
    <>
      <div className="card verdict-card divide-y divide-line">
        <PastBand words={`what the registry said on ${dayWords}`} />
        <div className="verdict-past verdict-banner">
          <div className="plate">
            <Plate rego={rego} state={page.state} />
            {page.kind}
          </div>
          <RowIcon name={VERDICT_ICONS[judgement.verdict]} className="row-icon" />
          <h1>{`It said “${judgement.word}”`}</h1>
          <div className="why">
            <p className="text-lg font-bold">{sentence}</p>
            <p>{`By what was recorded until then, under rules version ${page.policyVersion}.`}</p>
          </div>
        </div>
        {page.mismatches.length > 0 && (
          <p className="note note-error" role="alert">
            <strong>Do not rely on this answer.</strong> {page.mismatches.join(' ')}
          </p>
        )}
        <div className="flex flex-wrap items-center gap-2 px-5 py-3 max-row:px-4">
          <p className="flex-1 basis-60">
            <strong>This is not today’s answer.</strong>{' '}
            {changed === 0
              ? 'Nothing known then was changed since.'
              : `Since then, ${changed} of the records known then ${changed === 1 ? 'was' : 'were'} changed. Read both answers before you rely on this one.`}
          </p>
          <a
            href={`/vehicles/report/${rego}-on-${day}.pdf`}
            className="button-look button-secondary"
            download
            onClick={stayWhenOffline}
          >
            PDF
          </a>
          {now && (
            <Link to={href('/vehicles/view/:rego', { rego: now })} className="button-look button-secondary">
              See today’s answer
            </Link>
          )}
        </div>
        {now !== rego && (
          <p className="px-5 py-3 max-row:px-4">
            {`On ${dayWords} the plate ${rego} was on this truck. `}
            {now === null ? 'It is in this registry no more.' : `Its plate now is ${now}.`}
          </p>
        )}
        {line && <EvidenceStrip line={line} />}
        <VehicleFacts
          lastCalibrated={page.lastCalibrated}
          calibratedBy={page.calibratedBy}
          nextDue={page.nextDue}
          certificate={null}
        />
        <div className="grid gap-1 px-5 py-3 max-row:px-4">
          <strong>Proved by the log of that day</strong>
          {log === null ? (
            <p>The log of that day is signed within a few minutes.</p>
          ) : (
            <p className="text-sm text-ink-2">
              {`${log.size.toLocaleString('en-AU')} entries, root `}
              <code className="font-mono wrap-anywhere">{log.root}</code>
              {log.signedAt === null
                ? ', not signed that day. Each log that was signed later begins with it.'
                : `, signed ${log.signedAt}`}
            </p>
          )}
          <p className="no-print flex flex-wrap gap-x-5">
            <a href="/log#how-to-check" className="inline-flex min-h-11 items-center">
              Check the proofs
            </a>
            <a href={file} className="inline-flex min-h-11 items-center" download>
              Proof file
            </a>
          </p>
        </div>
      </div>
      {changes.length > 0 && (
        <Card title="Changed since that day" id="changed">
          <ul className="divide-y divide-line">
            {changes.map(({ on, lead, rest }, place) => (
              <li key={place} className="px-5 py-3 max-row:px-4">
                <p className="text-sm text-ink-2">{on}</p>
                <strong>{lead}</strong>
                {rest}
              </li>
            ))}
          </ul>
        </Card>
      )}
      <CalibrationHistory rego={rego} title="What it rested on" visits={page.visits} total={0} foot={null} />
      <Card title={`Vehicle details, as known on ${dayWords}`} id="details">
        <FactList facts={page.facts.map(({ label, value }) => ({ label, value }))} />
        <p className="border-t border-line px-5 py-2.5 text-sm text-ink-2 max-row:px-4">
          Pictures are left out: the public log has none.
        </p>
      </Card>
    </>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <MissingVehicleBoundary error={error} />;
}
