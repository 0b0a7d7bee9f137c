import { data, href, Link, redirect } from 'react-router';
import { signedInContext } from '#app/access/session.server.ts';
import { logSize } from '#app/activity-log/queries.server.ts';
import { formatDay, formatStatedInZone, todayIn } from '#app/platform/time/calendar.ts';
import { topicsOfReadingPage } from '#app/activity-log/topic.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { MissingVehicleBoundary } from '#app/shell/missing-vehicle-boundary.tsx';
import { PublicFrame } from '#app/shell/public-frame.tsx';
import { stayWhenOffline } from '#app/ui/needs-network.ts';
import { FactList } from '#app/ui/fact-list.tsx';
import { GoBack } from '#app/ui/go-back.tsx';
import { checkRecords, findingOf } from '#app/transparency-log/check-records.server.ts';
import { keepFound } from '#app/transparency-log/history-checks.server.ts';
import { ProofCheck } from '#app/transparency-log/proof-check.tsx';
import { recordName } from '#app/transparency-log/record-snapshot.server.ts';
import { Note } from '#app/ui/note.tsx';
import { useSite } from '#app/ui/site.ts';
import { movedStatus, regoOf } from '#app/vehicles/missing-vehicle.server.ts';
import type { MissingVehicle } from '#app/vehicles/missing-vehicle.tsx';
import { Plate } from '#app/vehicles/plate.tsx';
import { findVehicleById } from '#app/vehicles/queries.server.ts';
import { isRecordRego } from '#app/vehicles/vehicle.ts';
import { Subscription } from '#app/activity-log/subscription.tsx';
import { parseCalibrationId } from '#app/readings/calibration.ts';
import { attributeWords, sidesWords, valueWords } from '#app/readings/reading-words.ts';
import { mayCorrect } from '#app/recording/correct-calibration.server.ts';
import { readingBadge } from '#app/readings/reading-badge.server.ts';
import { RecorderLink } from '#app/readings/recorder-name.tsx';
import { companyOf, recorderOf } from '#app/readings/recorders.server.ts';
import { findCalibration } from '#app/readings/queries.server.ts';
import { openReports } from '#app/wrong-records/open-reports.server.ts';
import { ReportLink } from '#app/wrong-records/report-link.tsx';
import type { Route } from './+types/view';

export function meta({ loaderData, matches }: Route.MetaArgs): Route.MetaDescriptors {
  if (loaderData === undefined) return [];
  const { rego, attribute, axle } = loaderData;
  return [
    { title: `${rego}: ${axle} ${attribute} · ${matches[0].loaderData?.registryName ?? ''}` },
    { name: 'description', content: `One recorded reading of the on-board scale of ${rego}.` },
  ];
}

export async function loader({ params, context }: Route.LoaderArgs) {
  const { db, config } = context.get(servicesContext);
  const id = parseCalibrationId(params.id);
  const named = (text: string) => (id === undefined || !isRecordRego(text) ? undefined : findCalibration(db, text, id));
  // A reading keeps the rego under which it was recorded, whoever has the plate now.
  const known = await named(params.rego);
  const rego = known?.rego ?? (await regoOf(db, params.rego));
  if (rego !== params.rego)
    throw redirect(href('/calibrations/:rego/:id', { rego, id: params.id }), movedStatus(params.rego, rego));
  const since = await logSize(db);
  const reading = await named(rego);
  if (reading === undefined)
    throw data({ kind: 'unknown-calibration', rego } satisfies MissingVehicle, {
      status: 404,
      statusText: 'Not Found',
    });
  const vehicle = await findVehicleById(db, reading.vehicleId);
  const ref = { table: 'calibration', key: `${rego}/${reading.id}` } as const;
  const mismatch = findingOf(ref, (await checkRecords(db, [ref])).get(recordName(ref)));
  const now = vehicle?.rego ?? rego;
  if (mismatch !== undefined) await keepFound(db, now, [mismatch]);
  const who = context.get(signedInContext);
  const recorder = await recorderOf(db, reading);
  return {
    since,
    mismatch: mismatch ?? null,
    badge: await readingBadge(context.get(servicesContext), reading),
    rego,
    now,
    axle: reading.axle,
    attribute: attributeWords(reading.attribute, reading.unit),
    value: `${valueWords(reading, '\u00a0')}${reading.sides == null ? '' : ` (mean of ${sidesWords(reading.sides)})`}`,
    calibrated: formatStatedInZone(reading.calibratedAt, config.timeZone),
    imported: reading.origin === 'imported',
    technician: {
      name: [reading.technicianName ?? 'Anonymous', ...(recorder === undefined ? [] : companyOf(recorder))].join(', '),
      personId: recorder?.personId ?? null,
    },
    technicianRemovedOn:
      reading.technicianRemovedAt === null ? null : formatDay(todayIn(config.timeZone, reading.technicianRemovedAt)),
    due: reading.dueOn === null ? null : formatDay(reading.dueOn),
    removedOn: vehicle?.deletedAt == null ? null : formatDay(todayIn(config.timeZone, vehicle.deletedAt)),
    corrects: reading.correctsId,
    reason: reading.correctionReason,
    supersededBy: reading.supersededBy,
    id: reading.id,
    visit: reading.visitId ?? 'none',
    report: await openReports(
      db,
      reading.visitId === null ? ['vehicle_id', reading.vehicleId] : ['visit_id', reading.visitId],
    ),
    mayCorrect:
      who !== null && reading.supersededBy === null && vehicle?.deletedAt === null && mayCorrect(who, reading),
  };
}

export default function CalibrationView({ loaderData: entry }: Route.ComponentProps) {
  const framed = useSite().signedIn !== null;
  const vehicle = href('/vehicles/view/:rego', { rego: entry.now });
  return (
    <>
      <Subscription topics={topicsOfReadingPage(entry.rego)} since={entry.since} />
      <PublicFrame>
        <main id="main" className={framed ? '' : 'page pt-8'}>
          <div className="max-w-180">
            <div className="flex flex-wrap items-center justify-between gap-4">
              <h1 className="text-2xl">Calibration entry</h1>
              <Link to={vehicle} className="block w-44" aria-label={`Vehicle ${entry.now}`}>
                <Plate rego={entry.rego} />
              </Link>
            </div>
            {entry.mismatch === null ? null : (
              <div className="pt-4">
                <Note kind="error">
                  <strong>Does not match the log.</strong> {`Do not rely on this entry. ${entry.mismatch}`}
                </Note>
              </div>
            )}
            <Correction entry={entry} />
            {entry.removedOn === null ? (
              <ReportLink about={{ vehicle: entry.now, visit: entry.visit }} open={entry.report} />
            ) : null}
            <div className="card mt-4 divide-y divide-line">
              <FactList
                facts={[
                  { label: 'Axle type', value: entry.axle },
                  { label: 'Attribute', value: entry.attribute },
                  {
                    label: 'Value',
                    value: entry.supersededBy === null ? entry.value : <s>{entry.value}</s>,
                    look: 'large',
                  },
                  { label: 'Calibrated', value: entry.imported ? `${entry.calibrated} (imported)` : entry.calibrated },
                  {
                    label: 'Technician',
                    value: (
                      <>
                        <RecorderLink recorder={entry.technician} />
                        {entry.technicianRemovedOn === null
                          ? null
                          : `, removed from this registry on ${entry.technicianRemovedOn}`}
                      </>
                    ),
                  },
                  { label: 'Calibration due', value: entry.due },
                ]}
              />
              {entry.badge === null ? null : <ProofCheck badge={entry.badge} />}
            </div>
            {entry.imported ? (
              <p className="pt-3 text-sm text-ink-2">
                This entry was imported from the former register. It keeps the time from there.
              </p>
            ) : null}
            <p className="pt-3 text-sm text-ink-2">
              {entry.removedOn === null ? (
                <>
                  One reading does not decide the verdict.{' '}
                  <Link to={vehicle} className="link-in-text wrap-anywhere">{`See the verdict for ${entry.now}`}</Link>
                </>
              ) : (
                `The vehicle was removed from this registry on ${entry.removedOn}. Its calibrations are kept.`
              )}
            </p>
            <div className="flex flex-wrap gap-3 pt-5">
              <GoBack fallback={vehicle} />
              {entry.removedOn === null ? (
                <a
                  href={`/calibrations/report/${entry.rego}/${entry.id}.pdf`}
                  className="button-look button-secondary"
                  download
                  onClick={stayWhenOffline}
                >
                  Report (PDF)
                </a>
              ) : null}
              {entry.mayCorrect ? (
                <Link to={`/calibrations/correct/${entry.rego}/${entry.id}`} className="button-look button-secondary">
                  Correct this entry
                </Link>
              ) : null}
            </div>
          </div>
        </main>
      </PublicFrame>
    </>
  );
}

// Links from a wrong entry to its correction, and back.
function Correction({
  entry,
}: {
  entry: { rego: string; corrects: number | null; supersededBy: number | null; reason: string };
}) {
  const to = (id: number) => href('/calibrations/:rego/:id', { rego: entry.rego, id: String(id) });
  return (
    <>
      {entry.supersededBy === null ? null : (
        <p className="note note-error mt-4">
          <span>
            This entry was wrong and no longer counts. <Link to={to(entry.supersededBy)}>See its correction</Link>
          </span>
        </p>
      )}
      {entry.corrects === null ? null : (
        <p className="note note-info mt-4">
          <span>
            {`This corrects an earlier entry: ${entry.reason} `}
            <Link to={to(entry.corrects)}>See the wrong entry</Link>
          </span>
        </p>
      )}
    </>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <MissingVehicleBoundary error={error} />;
}
