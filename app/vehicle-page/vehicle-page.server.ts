// Everything that the public vehicle page shows, in words, with the verdict as at today.
import { setTimeout } from 'node:timers/promises';
import { readingsOfLines } from '#app/visits/evidence.ts';
import { errorsByGroup } from '#app/visits/error-words.ts';
import type { SignedIn } from '#app/access/session.server.ts';
import { presentVehicleLines } from '#app/readings/vehicle-lines.server.ts';
import { labelOrigin } from '#app/labels/label-origin.ts';
import { formatMoment, todayIn } from '#app/platform/time/calendar.ts';
import { aboutFile } from '#app/files/about-file.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { qrStrokes } from '#app/platform/paper/qr.server.ts';
import { keepSeen } from '#app/transparency-log/history-checks.server.ts';
import { combinationOf } from '#app/readings/visit-trailers.ts';
import { kindWord } from '#app/vehicles/axle.ts';
import { detailsIn } from '#app/vehicles/group-details.ts';
import { presentFacts } from '#app/vehicles/present-facts.ts';
import type { VehicleFile } from '#app/vehicles/queries.server.ts';
import { platesPart, withOthers } from './plates-part.ts';
import { readVehiclePage, type VehiclePageRecords } from './read-vehicle-page.server.ts';
import type { GalleryImage } from './vehicle-gallery.tsx';
import { officePart } from './office-part.server.ts';
import { presentGroups } from './axle-groups.server.ts';
import { trailersOf } from './trailer-notes.ts';
import { withSystem } from './system-facts.ts';
import { VISITS_SHOWN } from './shown-records.server.ts';
import {
  calibratedBy,
  checkedWords,
  evidenceOfPage,
  judgementOf,
  rulingOf,
  shownHistory,
  shownVisit,
  errorsOfRuling,
} from './vehicle-history.server.ts';
import { vehicleTimeline } from './vehicle-timeline.server.ts';
import { vehicleBadge } from './vehicle-badge.server.ts';
import { dueWords } from '#app/vehicles/verdict.ts';

const EVENTS_SHOWN = 8;
const LOOKED_FOR_MS = 1000;

/** The certificate: stored here, in the former storage only, or lost. */
export type CertificateFact =
  | { state: 'none' }
  | { state: 'missing' }
  | { state: 'here'; href: string; about: string }
  | { state: 'former'; href: string };

/** The vehicle's page by (normalised) rego, or why there is none. `asked`: volts to reckon; `origin`: our address. */
export async function vehiclePage(
  services: Services,
  rego: string,
  { asked, origin, who }: { asked: URLSearchParams; origin: string; who: SignedIn | null },
) {
  const found = await readVehiclePage(services.db, rego, 'newest');
  if (found.state === 'live') {
    const { vehicle, mismatches: findings, checked } = found.records;
    await keepSeen(services.db, { id: vehicle.id, rego, findings }, checked);
  }
  return found.state === 'live'
    ? { state: 'live' as const, page: await presentPage(services, found.records, { asked, origin, who }) }
    : found;
}

export type VehiclePage = Awaited<ReturnType<typeof presentPage>>;

/** What it says of these records at the moment of `services`. Days and moments are in words. */
export async function presentPage(
  services: Services,
  records: VehiclePageRecords,
  { asked, origin, who }: { asked: URLSearchParams; origin: string; who: SignedIn | null },
) {
  const { since, policy, vehicle, readings, sets, visits: judged, files: filesEver, mismatches } = records;
  const { files, config, now } = services;
  const vehicleFiles = filesEver.filter(({ removedAt }) => removedAt === null);
  const moment = now();
  const { timeZone } = config;
  const history = shownHistory(records, timeZone, who);
  const shown = history.slice(0, VISITS_SHOWN);
  const timeline = vehicleTimeline(records, history, { today: todayIn(timeZone, moment), zone: timeZone, policy });
  const { errors: _, ...evidence } = evidenceOfPage(records, timeZone, who === null ? 'anyone' : 'office');
  const ruling = rulingOf(records, timeZone);
  const told = errorsOfRuling(records, timeZone);
  const trailers = ruling === null ? null : trailersOf(sets, ruling.id);
  const address = `${origin}/vehicles/view/${vehicle.rego}`;
  return {
    since,
    rego: vehicle.rego,
    // 'Trailer' or 'Dolly'; '' of a truck.
    kind: vehicle.kind === '' ? '' : kindWord(vehicle.kind),
    // Where it is checked with the trailers of its last visit; '': that names none.
    combination: combinationOf(vehicle.rego, trailers ?? []),
    groups: presentGroups(vehicle, trailers),
    state: vehicle.plateState,
    // The rego by which its own page is opened: with the state, where another vehicle has the text too.
    name: records.isShared ? `${vehicle.rego}-${vehicle.plateState}` : vehicle.rego,
    plates: platesPart(records, asked.get('was')),
    mismatches,
    badge: await vehicleBadge(services, records),
    judgement: judgementOf(records, timeZone, moment),
    policyVersion: policy.version,
    asAt: formatMoment(moment, timeZone),
    evidence: withOthers(records, evidence),
    // Who made the calibration that the verdict rests on.
    calibratedBy: calibratedBy(records, timeZone),
    nextDue: dueWords(vehicle),
    certificate: await certificateFact(
      files,
      vehicleFiles.find((file) => file.role === 'certificate'),
    ),
    facts: withSystem(presentFacts(vehicle, 'anyone'), records),
    lines: presentVehicleLines(readingsOfLines(readings, judged), sets, {
      zone: timeZone,
      asked,
      tolerance: policy,
      details: detailsIn(vehicle.groupDetails),
      ...(told === null ? {} : { told: { visitId: told.visitId, words: errorsByGroup(told.errors) } }),
    }),
    timeline: { ...timeline, items: timeline.items.slice(0, EVENTS_SHOWN) },
    // `isWhole`: these are all visits, and the timeline has all events. `total` counts all entries.
    history: {
      visits: shown.map(shownVisit),
      total: records.readingsTotal,
      isWhole: records.from === null && shown.length === history.length && timeline.items.length <= EVENTS_SHOWN,
    },
    // What there is to say of the last check of the whole history against the log.
    checked: checkedWords(records, timeZone),
    images: vehicleFiles.filter(({ role, isHidden }) => role === 'image' && !isHidden).map(presentImage),
    // What only somebody signed in sees.
    office: who === null ? null : await officePart(services, vehicle, { readings, who, policy }),
    // Whether a label can be made: it carries the registry's public address.
    hasLabel: labelOrigin(services.config) !== undefined,
    qr: qrStrokes(address, 'any'),
    address,
  };
}

async function certificateFact(files: Services['files'], file: VehicleFile | undefined): Promise<CertificateFact> {
  if (file === undefined) return { state: 'none' };
  if (file.fileId === null || file.storageKey === null) return { state: 'former', href: file.externalUrl };
  return (await isLost(files, file.storageKey))
    ? { state: 'missing' }
    : { state: 'here', href: `/files/${file.fileId}`, about: aboutFile(file) };
}

// A storage that does not answer has not lost the file. The page does not wait for it, because people came for the
// verdict.
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
