// Everything that the public vehicle page shows, in words, with the verdict as at today.
import { setTimeout } from 'node:timers/promises';
import { href } from 'react-router';
import { evidenceOf, readingsOfLines, statesOf } from '#app/calibrations/evidence.ts';
import { presentEvidence, type ShownEvidence } from '#app/calibrations/present-evidence.ts';
import { groupHistory, type HistoryVisit, type ShownVisit } from '#app/calibrations/history.ts';
import { may } from '#app/access/permissions.ts';
import type { SignedIn } from '#app/access/session.server.ts';
import { presentVehicleLines, type VehicleLines } from '#app/calibrations/vehicle-lines.server.ts';
import { formatDay, formatMoment, todayIn } from '#app/platform/time/calendar.ts';
import { aboutFile } from '#app/files/about-file.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import type { QrPath } from '#app/platform/paper/qr-path.ts';
import { qrStrokes } from '#app/platform/paper/qr.server.ts';
import { presentBadge } from '#app/transparency-log/log-badge.server.ts';
import type { LogBadge } from '#app/transparency-log/proof-check.tsx';
import { presentFacts, type VehicleFact } from '#app/vehicles/present-facts.ts';
import type { FoundVehicle, VehicleFile } from '#app/vehicles/queries.server.ts';
import { readVehiclePage, type VehiclePageRecords } from './read-vehicle-page.server.ts';
import type { GalleryImage } from './vehicle-gallery.tsx';
import { officePart, type OfficePart } from './office-part.server.ts';
import type { Timeline } from './timeline.ts';
import { vehicleTimeline } from './vehicle-timeline.server.ts';
import { shownOfVehicle } from './vehicle-badge.server.ts';
import { judge, withdrawnAt, type Judgement, verdictFacts } from '#app/vehicles/verdict.ts';

const VISITS_PER_PAGE = 10;
const LOOKED_FOR_MS = 1000;

/** The certificate: stored here, in the former storage only, or lost. */
export type CertificateFact =
  | { state: 'none' }
  | { state: 'missing' }
  | { state: 'here'; href: string; about: string }
  | { state: 'former'; href: string };

/** `office`: what only somebody signed in sees. Days and moments are in words. */
export type VehiclePage = {
  since: number;
  rego: string;
  mismatches: string[];
  badge: LogBadge | null;
  judgement: Judgement;
  policyVersion: number;
  asAt: string;
  evidence: ShownEvidence;
  nextDue: string | null;
  certificate: CertificateFact;
  facts: VehicleFact[];
  lines: VehicleLines | null;
  timeline: Timeline;
  history: { visits: ShownVisit[]; total: number; page: number; pages: number };
  images: GalleryImage[];
  office: OfficePart | null;
  qr: QrPath;
  address: string;
};

/** The page of the vehicle with this (normalised) rego, or why there is none. `asked`: the page of the history, and volts to be reckoned. `origin` is the registry's public address. */
export async function vehiclePage(
  services: Services,
  rego: string,
  asked: URLSearchParams,
  origin: string,
  who: SignedIn | null,
): Promise<{ state: 'live'; page: VehiclePage } | Exclude<FoundVehicle, { state: 'live' }>> {
  const found = await readVehiclePage(services.db, rego);
  return found.state === 'live'
    ? { state: 'live', page: await presentPage(services, found.records, asked, origin, who) }
    : found;
}

async function presentPage(
  services: Services,
  {
    since,
    policy,
    vehicle,
    readings,
    sets,
    visits: judged,
    files: filesEver,
    events,
    mismatches,
    badge,
  }: VehiclePageRecords,
  asked: URLSearchParams,
  origin: string,
  who: SignedIn | null,
): Promise<VehiclePage> {
  const { files, config, now } = services;
  const vehicleFiles = filesEver.filter(({ removedAt }) => removedAt === null);
  const certificates = filesEver.filter(({ role }) => role === 'certificate');
  const moment = now();
  const { timeZone } = config;
  const dayOf = (instant: Date | null) => (instant === null ? null : todayIn(timeZone, instant));
  // Only the office sees notes.
  const shownSets = who === null ? sets.map((set) => ({ ...set, notes: '' })) : sets;
  const history = groupHistory(readings, timeZone, shownSets, statesOf(judged));
  const visits = who !== null && may(who.role, 'decide visits') ? history.map(photoOnVisitPage) : history;
  // An image of the truck may be the same file.
  const hidden = new Set(sets.flatMap((set) => (set.photoHiddenAt === null ? [] : [set.photoId])));
  const pages = Math.max(1, Math.ceil(visits.length / VISITS_PER_PAGE));
  const page = Math.min(Math.max(1, pageNumber(asked.get('history'))), pages);
  const address = `${origin}/vehicles/view/${vehicle.rego}`;
  return {
    since,
    rego: vehicle.rego,
    mismatches,
    badge: badge === null ? null : presentBadge(badge, timeZone, await shownOfVehicle(services, vehicle)),
    judgement: judge(
      {
        ...verdictFacts(vehicle),
        withdrawnOn: dayOf(withdrawnAt(events.filter(({ kind }) => kind === 'validation'))),
      },
      todayIn(timeZone, moment),
      policy,
    ),
    policyVersion: policy.version,
    asAt: formatMoment(moment, timeZone),
    evidence: presentEvidence(
      evidenceOf(vehicle, judged, readings, (instant) => todayIn(timeZone, instant)),
      {
        sets,
        readings,
        lastCalibratedAt: vehicle.lastCalibratedAt,
        zone: timeZone,
        seenBy: who === null ? 'anyone' : 'office',
      },
    ),
    nextDue: vehicle.nextCalibrationDueOn === null ? null : formatDay(vehicle.nextCalibrationDueOn),
    certificate: await certificateFact(
      files,
      vehicleFiles.find((file) => file.role === 'certificate'),
    ),
    facts: presentFacts(vehicle, 'anyone'),
    lines: presentVehicleLines(readingsOfLines(readings, judged), sets, { zone: timeZone, asked, tolerance: policy }),
    timeline: vehicleTimeline(
      vehicle,
      { events, readings, visits, judged, certificates },
      {
        today: todayIn(timeZone, moment),
        zone: timeZone,
        policy,
      },
    ),
    history: {
      visits: visits.slice((page - 1) * VISITS_PER_PAGE, page * VISITS_PER_PAGE).map(shownVisit),
      total: readings.length,
      page,
      pages,
    },
    images: vehicleFiles.filter(({ role, fileId }) => role === 'image' && !hidden.has(fileId)).map(presentImage),
    office: who === null ? null : await officePart(services, vehicle, readings, who, policy),
    qr: qrStrokes(address, 'any'),
    address,
  };
}

// Who decides about visits comes to the page of the photo's visit, where it can be hidden. Without a visit there is none.
const photoOnVisitPage = (visit: HistoryVisit): HistoryVisit =>
  visit.photo === null || visit.visitId === null
    ? visit
    : { ...visit, photo: `${href('/visits/:id', { id: visit.visitId })}#photo` };

const shownVisit = ({ key, at, iso, beside, photo, notes, rows, state }: HistoryVisit): ShownVisit => ({
  key,
  at,
  iso,
  beside,
  photo,
  notes,
  rows,
  state,
});

function pageNumber(text: string | null): number {
  const page = Number(text ?? '1');
  return Number.isSafeInteger(page) ? page : 1;
}

async function certificateFact(files: Services['files'], file: VehicleFile | undefined): Promise<CertificateFact> {
  if (file === undefined) return { state: 'none' };
  if (file.fileId === null || file.storageKey === null) return { state: 'former', href: file.externalUrl };
  return (await isLost(files, file.storageKey))
    ? { state: 'missing' }
    : { state: 'here', href: `/files/${file.fileId}`, about: aboutFile(file) };
}

// A storage that does not answer has not lost the file. The page does not wait for it, because people came for the verdict.
function isLost(files: Services['files'], key: string): Promise<boolean> {
  const known = files.size(key).then(
    (size) => size === undefined,
    () => false,
  );
  return Promise.race([known, setTimeout(LOOKED_FOR_MS, false)]);
}

function presentImage(file: VehicleFile): GalleryImage {
  if (file.fileId === null) return { externalUrl: file.externalUrl };
  return {
    src: `/files/${file.fileId}`,
    thumbnail: `/files/${file.fileId}${file.hasThumbnail ? '/thumbnail' : ''}`,
    width: file.width,
    height: file.height,
  };
}
