// The outline of a vehicle, or of units that are coupled, as the path of an SVG: the front to the left, from kind and
// groups only.
import { AXLES, axleGroupsOf, axleLabel, type Axle } from './axle.ts';
import { detailsIn, detailsWords, NO_DETAILS, type Details } from './group-details.ts';

const WHEELS: Readonly<Record<string, number>> = { single: 1, 'twin-steer': 2, tandem: 2, tri: 3, quad: 4 };
const RADIUS = 4;
/** Of wider ones the labels would be too small to read on a phone. */
const LABELLED_MAX = 180;
const [WHEEL, GAP, GROUND, ROOF] = [9, 26, 30, 6];

/** `label`: of each group, in the middle of its wheels; none where they would be too small. */
export type Picture = { width: number; height: number; path: string; labels: { x: number; label: string }[] };
/** `carries`: a body ends over it. */
type Drawn = { axle: Axle; axles: string; carries: boolean; label: string };

/** A unit on the road, with what is known of it as `axleGroupsText` and `detailsText` write it. */
export type DrawnUnit = { kind: string; axleGroups: string; groupDetails: string };

export function pictureOf(details: Details): Picture {
  const there = AXLES.map(({ axle }) => axle).filter((axle) => details[axle] !== undefined);
  return draw(
    there.map((axle) => ({
      axle,
      axles: details[axle]?.axles ?? '',
      carries: carriesIn(axle, there),
      label: axleLabel(axle),
    })),
  );
}

/**
 * Units behind each other, a trailer under its `name`. What a truck's record has of trailers is not drawn: they are
 * units of their own.
 */
export function pictureOfUnits(units: readonly (DrawnUnit & { name: string })[]): Picture {
  return draw(
    units.flatMap((unit, place) => {
      const next = units[place + 1];
      // A semi-trailer rests on what is before it, so a prime mover and a dolly carry no body of their own.
      const isPulling = next?.kind === 'trailer' && !groupsOfUnit(next).some(({ axle }) => axle === 'FRONT');
      const isBare = unit.kind === 'dolly' || (unit.kind === '' && isPulling);
      return groupsOfUnit(unit).map(({ axle, axles }): Drawn => {
        const ends = isLast(axle);
        const name = ends ? unit.name : '';
        return { axle, axles, carries: !isBare && ends, label: unit.kind === '' ? axleLabel(axle) : name };
      });
    }),
  );
}

const isLast = (axle: Axle): boolean => axle === 'DRIVE' || axle === 'REAR' || axle.startsWith('TRAILER');

/** What is known of the groups of a unit; a trailer or dolly of which nothing is known has one, at the rear. */
export function groupsOfUnit({ kind, axleGroups, groupDetails }: DrawnUnit): { axle: Axle; axles: string }[] {
  const details = detailsIn(groupDetails);
  const known = AXLES.map(({ axle }) => axle).filter(
    (axle) => details[axle] !== undefined || axleGroupsOf(axleGroups).includes(axle),
  );
  const own = kind === '' ? known.filter((axle) => axle === 'STEER' || axle === 'DRIVE') : known;
  const usual: Axle[] = kind === '' ? ['STEER', 'DRIVE'] : ['REAR'];
  return (own.length === 0 ? usual : own).map((axle) => ({ axle, axles: details[axle]?.axles ?? '' }));
}

/** 'Steer: single axle, single tyres; Drive: tandem' */
export function unitInWords(unit: DrawnUnit): string {
  const details = detailsIn(unit.groupDetails);
  return groupsOfUnit(unit)
    .map(({ axle }) => `${axleLabel(axle)}: ${detailsWords(details[axle] ?? NO_DETAILS).toLowerCase()}`)
    .join('; ');
}

function draw(groups: readonly Drawn[]): Picture {
  let x = 6;
  let body = 34;
  const parts: string[] = [];
  const labels: Picture['labels'] = [];
  for (const { axle, axles, carries, label } of groups) {
    const from = x;
    const wheels = WHEELS[axles] ?? 1;
    for (let n = 0; n < wheels; n += 1) {
      const middle = x + RADIUS;
      parts.push(
        `M${middle - RADIUS} ${GROUND + RADIUS}a${RADIUS} ${RADIUS} 0 1 0 ${2 * RADIUS} 0a${RADIUS} ${RADIUS} 0 1 0 -${2 * RADIUS} 0z`,
      );
      x += WHEEL;
    }
    if (label !== '') labels.push({ x: (from + x - 1) / 2, label });
    const cab = Math.max(x, from + 22);
    if (axle === 'STEER') {
      parts.push(outline(from - 4, cab, ROOF + 2));
      body = cab + 6;
    } else if (carries) parts.push(outline(Math.min(body, from - 4), x + 2, ROOF));
    if (carries) body = x + 6;
    x += GAP;
  }
  const width = Math.max(x - GAP + 6, 40);
  const height = GROUND + 2 * RADIUS + 1;
  const path = `${parts.join('')}M2 ${GROUND - 1}H${width - 2}v1H2z`;
  return { width, height, path, labels };
}

/** With room for the labels, where they can be read. */
export const labelled = (picture: Picture): Picture =>
  picture.width > LABELLED_MAX ? { ...picture, labels: [] } : { ...picture, height: picture.height + 8 };

// A body stands over the drive group of a rigid, over each trailer's group, and over a trailer's last one.
function carriesIn(axle: Axle, groups: readonly Axle[]): boolean {
  if (axle === 'DRIVE') return !groups.includes('TRAILERA') || groups.includes('DOLLYA');
  return axle.startsWith('TRAILER') || axle === 'REAR';
}

// Two boxes one within the other, wound the other way, so that the path is an outline.
const outline = (from: number, to: number, top: number): string =>
  `M${from} ${top}H${to}V${GROUND - 2}H${from}zM${from + 1} ${top + 1}V${GROUND - 3}H${to - 1}V${top + 1}z`;
