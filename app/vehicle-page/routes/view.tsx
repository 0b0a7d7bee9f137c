import { lazy, useEffect } from 'react';
import { href, Link, redirect, useSearchParams } from 'react-router';
import { useMay } from '#app/access/use-may.tsx';
import { signedInContext } from '#app/access/session.server.ts';
import { calibrateAction } from '#app/recording/calibration-action.server.ts';
import { EvidenceCard } from '#app/visits/evidence-card.tsx';
import { CalibrationLines } from '#app/readings/calibration-lines.tsx';
import { CalibrationHistory } from '#app/visits/calibration-history.tsx';
import { loadPart } from '#app/platform/http/page-data.ts';
import { Subscription } from '#app/activity-log/subscription.tsx';
import { topicsOfVehiclePage } from '#app/activity-log/topic.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { MissingVehicleBoundary } from '#app/shell/missing-vehicle-boundary.tsx';
import { PublicFrame } from '#app/shell/public-frame.tsx';
import { ProofCheck } from '#app/transparency-log/proof-check.tsx';
import { PolicyLine } from '#app/policy/policy-line.tsx';
import { Card } from '#app/ui/card.tsx';
import { unlessClosing } from '#app/ui/dialog-address.ts';
import { FactList, type Fact } from '#app/ui/fact-list.tsx';
import { GoBack } from '#app/ui/go-back.tsx';
import { MismatchBanner } from '#app/transparency-log/mismatch-banner.tsx';
import { useSite } from '#app/ui/site.ts';
import { missingVehicle, movedStatus, regoOfPage } from '#app/vehicles/missing-vehicle.server.ts';
import { AxleGroups } from '../axle-groups.tsx';
import { DayForm } from '../day-form.tsx';
import { PrintFoot } from '../print-foot.tsx';
import { ImageDialog, VehicleGallery } from '../vehicle-gallery.tsx';
import { TimelineCard } from '../timeline-card.tsx';
import { EvidenceNoteStrip, EvidenceStrip } from '../evidence-line.tsx';
import { VehicleFacts } from '../vehicle-facts.tsx';
import { vehiclePage } from '../vehicle-page.server.ts';
import { VehicleLinks } from '../vehicle-links.tsx';
import { VerdictBanner } from '../verdict-banner.tsx';
import { noteLookedUp } from '#app/vehicles/looked-up.ts';
import { Plate } from '#app/vehicles/plate.tsx';
import type { Route } from './+types/view';

// Only signed-in persons load these. PublicFrame waits for them.
const VehicleActions = lazy(() =>
  loadPart(() => import('../office-view.tsx')).then((office) => ({ default: office.VehicleActions })),
);
const OwnVisitNote = lazy(() =>
  loadPart(() => import('../office-view.tsx')).then((office) => ({ default: office.OwnVisitNote })),
);
const OfficeCard = lazy(() =>
  loadPart(() => import('../office-view.tsx')).then((office) => ({ default: office.OfficeCard })),
);
const ChangeHistory = lazy(() =>
  loadPart(() => import('../office-view.tsx')).then((office) => ({ default: office.ChangeHistory })),
);
const CalibrateDialog = lazy(() =>
  loadPart(() => import('#app/recording/calibrate-dialog.tsx')).then(({ CalibrateDialog }) => ({
    default: CalibrateDialog,
  })),
);

export function meta({ loaderData, matches }: Route.MetaArgs): Route.MetaDescriptors {
  if (loaderData === undefined) return [];
  const { rego, said } = loaderData;
  return [
    { title: `${rego}: ${said.word} · ${matches[0].loaderData?.registryName ?? ''}` },
    { name: 'description', content: `Scale calibration of ${rego}: ${said.word}. ${said.sentence}` },
  ];
}

export async function loader({ params, context, url }: Route.LoaderArgs) {
  const services = context.get(servicesContext);
  const on = url.searchParams.get('on');
  if (on) throw redirect(href('/vehicles/on/:day/:rego', { day: on, rego: params.rego }));
  const rego = await regoOfPage(services.db, params.rego, url.searchParams.get('state'));
  if (rego !== params.rego) {
    const query = new URLSearchParams(url.searchParams);
    query.delete('state');
    const search = query.size === 0 ? '' : `?${query}`;
    throw redirect(`${href('/vehicles/view/:rego', { rego })}${search}`, movedStatus(params.rego, rego));
  }
  // The address of the history's pages until they had a page of their own.
  if (url.searchParams.has('history')) throw redirect(href('/vehicles/history/:rego', { rego }), 301);
  const found = await vehiclePage(services, rego, {
    asked: url.searchParams,
    origin: services.config.publicUrl?.origin ?? url.origin,
    who: context.get(signedInContext),
  });
  if (found.state !== 'live') {
    const addressOf = (now: string) => `${href('/vehicles/view/:rego', { rego: now })}?was=${rego}`;
    throw await missingVehicle(services, { rego, found, addressOf });
  }
  const { mismatches, judgement } = found.page;
  const said =
    mismatches.length === 0
      ? { word: judgement.word, sentence: judgement.sentence }
      : { word: 'Does not match the log', sentence: 'Do not rely on this record.' };
  return { rego, said, page: found.page };
}

export const shouldRevalidate = unlessClosing('calibrate', 'image');

/** Records a reading. The guard protects it like every action, although the page is public. */
export const action = (args: Route.ActionArgs) => calibrateAction(args, args.params.rego);

// The dialog that sends the form is already loaded. To load more could fail now.
export const clientAction = async (args: Route.ClientActionArgs) => {
  const { sendEntry } = await loadPart(() => import('#app/recording/calibrate-dialog.tsx'));
  return sendEntry(args);
};

export default function VehicleView({ loaderData, actionData }: Route.ComponentProps) {
  const { page } = loaderData;
  const { office, evidence } = page;
  const cards = [evidence.ruling, evidence.waiting].filter((card) => card !== null);
  const [query] = useSearchParams();
  const may = useMay();
  const calibrating = office !== null && query.has('calibrate') && may('record visits');
  const image = Number(query.get('image') ?? '0');
  const { registryName } = useSite();
  const framed = useSite().signedIn !== null;
  const address = href('/vehicles/view/:rego', { rego: page.name });
  const { rego, nextDue, asAt } = page;
  const plate = (
    <>
      <Plate rego={rego} state={page.state} />
      {page.kind}
    </>
  );
  const verdict = page.mismatches.length === 0 ? page.judgement.verdict : null;
  useEffect(() => noteLookedUp({ rego, verdict, nextDue, asAt }), [rego, verdict, nextDue, asAt]);
  return (
    <>
      <Subscription topics={topicsOfVehiclePage(page.rego)} since={page.since} whereOneTypes={calibrating} />
      <PublicFrame>
        <main
          id="main"
          className={`grid grid-cols-[minmax(0,1fr)] gap-5 print:gap-3 print:py-0 ${framed ? '' : 'page pt-8 max-row:pt-4'}`}
        >
          <p className="print-only hidden font-bold">{registryName}</p>
          {office === null ? null : <VehicleActions rego={page.rego} page={address} hasLabel={office.hasLabel} />}
          {office === null || office.entry.visit === null ? null : (
            <OwnVisitNote rego={page.rego} visit={office.entry.visit} />
          )}
          {page.plates.note && <EvidenceNoteStrip note={page.plates.note} />}
          <div>
            <div className="card verdict-card divide-y divide-line">
              {page.mismatches.length === 0 ? (
                <VerdictBanner plate={plate} rego={page.rego} judgement={page.judgement} asAt={page.asAt} />
              ) : (
                <MismatchBanner subject={page.rego} plate={plate} findings={page.mismatches} asAt={page.asAt} />
              )}
              {evidence.line === null ? null : <EvidenceStrip line={evidence.line} />}
              {evidence.notes.map((note, index) => (
                <EvidenceNoteStrip key={index} note={note} />
              ))}
              {page.combination && (
                <p className="no-print px-5 py-3 max-row:px-4">
                  <Link to={page.combination} className="button-look button-secondary max-sm:w-full">
                    Check with its trailers
                  </Link>
                </p>
              )}
              <VehicleFacts
                lastCalibrated={evidence.lastCalibrated}
                calibratedBy={page.calibratedBy}
                nextDue={page.nextDue}
                certificate={page.certificate}
              />
              {page.badge === null ? null : <ProofCheck badge={page.badge} />}
              <p className="px-5 py-2.5 text-sm text-ink-2 max-row:px-4">
                The registry shows what has been recorded about the scale. It does not show what the truck weighs.{' '}
                <PolicyLine version={page.policyVersion} />
              </p>
            </div>
            <VehicleLinks rego={page.rego} hasLabel={page.hasLabel} isFramed={framed} />
          </div>
          <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_21.25rem] lg:grid-rows-[auto_1fr] print:grid-cols-1 print:gap-3">
            {cards.length === 0 ? null : (
              <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-5 lg:col-start-1 print:gap-3">
                {cards.map((card) => (
                  <EvidenceCard key={card.id} card={card} />
                ))}
              </div>
            )}
            {/* One column beside the others; on a phone its two parts stand apart, the timeline last. */}
            <div className="contents gap-5 lg:col-start-2 lg:row-span-2 lg:row-start-1 lg:grid print:grid print:gap-3">
              <div>
                <Card title="Vehicle details" id="details">
                  <FactList
                    facts={[
                      { label: 'Rego', value: page.rego },
                      ...page.facts.map(({ label, value, kind }): Fact => {
                        return { label, value, look: kind === 'vin' ? 'mono' : undefined };
                      }),
                    ]}
                  />
                </Card>
                {page.plates.list.length > 0 && (
                  <div className="pt-5">
                    <Card title="Plates" id="plates">
                      <FactList facts={page.plates.list} />
                    </Card>
                  </div>
                )}
                {office === null ? null : (
                  <div className="pt-5">
                    <OfficeCard rego={page.rego} office={office} />
                  </div>
                )}
              </div>
              <div className="max-lg:order-last">
                <TimelineCard
                  timeline={page.timeline}
                  foot={page.history.isWhole ? null : <WholeHistory rego={page.rego} what="All events" />}
                />
              </div>
            </div>
            <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-5 lg:col-start-1">
              {page.groups && <AxleGroups groups={page.groups} />}
              {page.lines === null ? null : (
                <CalibrationLines shown={page.lines.shown} calculator={{ page: address, ...page.lines.calculated }} />
              )}
              <CalibrationHistory
                rego={page.rego}
                visits={page.history.visits}
                total={page.history.total}
                foot={
                  <>
                    {page.history.total === 0 ? null : (
                      <WholeHistory
                        rego={page.rego}
                        what={page.history.isWhole ? 'As PDF and CSV' : 'Earlier visits, also as PDF and CSV'}
                      />
                    )}
                    <p className="border-t border-line px-5 py-2.5 text-sm text-ink-2 max-row:px-4">{page.checked}</p>
                  </>
                }
              />
              {page.images.length === 0 ? null : (
                <VehicleGallery images={page.images} rego={page.rego} page={address} />
              )}
              {office === null ? null : <ChangeHistory changes={office.changes} />}
            </div>
          </div>
          <PrintFoot qr={page.qr} address={page.address} printedAt={page.asAt} entry={page.badge?.index} />
          <DayForm rego={page.name} label="What did the registry say on" />
          {office === null ? (
            <div className="no-print">
              <GoBack fallback="/" />
            </div>
          ) : null}
          {calibrating ? (
            <CalibrateDialog rego={page.rego} page={address} entry={office.entry} answer={actionData} />
          ) : null}
          {Number.isInteger(image) && image >= 1 && image <= page.images.length ? (
            <ImageDialog images={page.images} number={image} rego={page.rego} page={address} />
          ) : null}
        </main>
      </PublicFrame>
    </>
  );
}

function WholeHistory({ rego, what }: { rego: string; what: string }) {
  return (
    <p className="no-print border-t border-line px-5 max-row:px-4">
      <Link to={href('/vehicles/history/:rego', { rego })} className="inline-flex min-h-11 items-center font-semibold">
        {what}
      </Link>
    </p>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <MissingVehicleBoundary error={error} />;
}
