// /vehicles/on/{day}/{rego}: what the registry said at the end of a day.
import { data, href, redirect } from 'react-router';
import { Subscription } from '#app/activity-log/subscription.tsx';
import { topicsOfVehiclePage } from '#app/activity-log/topic.ts';
import { formatDay, todayIn } from '#app/platform/time/calendar.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { MissingVehicleBoundary } from '#app/shell/missing-vehicle-boundary.tsx';
import { PublicFrame } from '#app/shell/public-frame.tsx';
import { Card } from '#app/ui/card.tsx';
import { FactList } from '#app/ui/fact-list.tsx';
import { RowIcon } from '#app/ui/row-icon.tsx';
import { useSite } from '#app/ui/site.ts';
import { regoOf } from '#app/vehicles/missing-vehicle.server.ts';
import { Plate } from '#app/vehicles/plate.tsx';
import { VERDICT_ICONS } from '#app/vehicles/verdict-badge.tsx';
import { CalibrationHistory } from '#app/visits/calibration-history.tsx';
import { DayForm } from '../day-form.tsx';
import { EvidenceStrip } from '../evidence-line.tsx';
import { pastPage, readPast, type PastPage } from '../past-page.server.ts';
import type { Route } from './+types/on-day';

export function meta({ loaderData, params, matches }: Route.MetaArgs): Route.MetaDescriptors {
  const said = loaderData?.past == null ? 'no answer' : `it said “${loaderData.past.judgement.word}”`;
  const name = matches[0].loaderData?.registryName ?? '';
  return [{ title: `The past, ${formatDay(params.day)}: ${params.rego}, ${said} · ${name}` }];
}

export async function loader({ params, context }: Route.LoaderArgs) {
  const services = context.get(servicesContext);
  const { day } = params;
  const addressOf = (rego: string, on = day) => href('/vehicles/on/:day/:rego', { day: on, rego });
  const today = (rego: string) => ({ to: href('/vehicles/view/:rego', { rego }), words: 'See today’s answer' });
  const rego = await regoOf(services.db, params.rego);
  if (day === todayIn(services.config.timeZone, services.now())) throw redirect(today(rego).to);
  const found = await readPast(services, rego, day);
  const then = 'none' in found ? rego : found.vehicle.rego;
  if (then !== params.rego) throw redirect(addressOf(then));
  if ('none' in found) {
    const { none, firstDay } = found;
    const first = firstDay && { to: addressOf(rego, firstDay), words: `First day: ${formatDay(firstDay)}` };
    return data({ rego, day, past: null, none, links: [...(first ? [first] : []), today(rego)] }, { status: 404 });
  }
  const past = await pastPage(services, found);
  const links = [
    ...(found.now === null ? [] : [today(found.now)]),
    { to: `/vehicles/report/${rego}-on-${day}.pdf`, words: 'PDF' },
    { to: `/api/v1/vehicles/${rego}/on/${day}/proof`, words: 'Proof file' },
    { to: '/log#how-to-check', words: 'Check the proofs' },
  ];
  return data({ rego, day, past, none: '', links });
}

// Over the card's border. No hue, so that it does not pass for today's.
const BAND =
  '-mx-px -mt-px flex items-center gap-3 rounded-t-lg bg-ink px-5 py-3 text-surface print:border-4 print:border-ink print:bg-transparent print:text-ink';
const PART = 'px-5 py-3 max-row:px-4';

export default function OnDay({ loaderData: { rego, day, past, none, links } }: Route.ComponentProps) {
  const framed = useSite().signedIn !== null;
  return (
    <>
      {past && <Subscription topics={topicsOfVehiclePage(past.now ?? rego)} since={past.since} />}
      <PublicFrame>
        <main id="main" className={`grid grid-cols-[minmax(0,1fr)] gap-5 ${framed ? '' : 'page pt-8 max-row:pt-4'}`}>
          <div className="card verdict-card divide-y divide-line">
            <p className={BAND}>
              <RowIcon name="rotate-ccw-clock" className="row-icon size-6" />
              <strong>{`The past: what the registry said on ${formatDay(day)}`}</strong>
              <span className="ml-auto max-sm:hidden">Not today’s answer</span>
            </p>
            {past && <Said past={past} dayWords={formatDay(day)} />}
            {past === null && <h1 className={`text-2xl ${PART}`}>No answer for that day</h1>}
            {none && <p className={PART}>{none}</p>}
            <p className={`no-print flex flex-wrap gap-2 ${PART}`}>
              {links.map(({ to, words }) => (
                <a key={to} href={to} className="button-look button-secondary">
                  {words}
                </a>
              ))}
            </p>
          </div>
          {past && past.changes.length > 0 && (
            <Card title="Changed since that day" id="changed">
              <FactList facts={past.changes.map(({ on, words }) => ({ label: on, value: words }))} />
            </Card>
          )}
          {past && (
            <CalibrationHistory {...{ rego, title: 'What it rested on', visits: past.visits, total: 0, foot: null }} />
          )}
          {past && (
            <Card title={`Vehicle details, as known on ${formatDay(day)}`} id="details">
              <FactList facts={past.facts.map(({ label, value }) => ({ label, value }))} />
              <p className={`text-sm text-ink-2 ${PART}`}>Pictures are left out: the public log does not cover them.</p>
            </Card>
          )}
          <DayForm rego={rego} label="Another day" day={day} />
        </main>
      </PublicFrame>
    </>
  );
}

function Said({ past, dayWords }: { past: PastPage; dayWords: string }) {
  const { rego, judgement, mismatches, line, changed, now, log } = past;
  const were = changed === 1 ? 'was' : 'were';
  const plateNow = now === null ? 'It is in this registry no more.' : `Its plate now is ${now}.`;
  return (
    <>
      <div className="verdict-past verdict-banner">
        <div className="plate">
          <Plate rego={rego} state={past.state} />
          {past.kind}
        </div>
        <RowIcon name={VERDICT_ICONS[judgement.verdict]} className="row-icon" />
        <h1>{`It said “${judgement.word}”`}</h1>
        <div className="why">
          <p className="text-lg font-bold">{past.sentence}</p>
          <p>{`By what was recorded until then, under rules version ${past.policyVersion}.`}</p>
        </div>
      </div>
      {mismatches.length > 0 && <p className="note note-error">{`Do not rely on this. ${mismatches.join(' ')}`}</p>}
      <p className={PART}>
        <strong>This is not today’s answer.</strong>
        {changed === 0
          ? ' Nothing known then was changed since.'
          : ` Since then, ${changed} of the records known then ${were} changed. Read both answers before you rely on this one.`}
        {now === rego ? '' : ` On ${dayWords} the plate ${rego} was on this truck. ${plateNow}`}
      </p>
      {line && <EvidenceStrip line={line} />}
      <FactList
        facts={[
          { label: 'Last calibrated, as known then', value: past.lastCalibrated },
          { label: 'Due, as known then', value: past.nextDue },
          { label: 'Proved by the log of that day', value: log && `${log.size.toLocaleString('en-AU')} entries` },
          { label: 'Root', value: log?.root, look: 'mono' },
          { label: 'Signed', value: log?.signed },
        ]}
      />
    </>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <MissingVehicleBoundary error={error} />;
}
