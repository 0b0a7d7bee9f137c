// The axle groups of a vehicle in words, with its picture: what is known of each, its reference mass, and for which
// trailer its line holds.
import { formatDay } from '#app/platform/time/calendar.ts';
import { formatValue } from '#app/readings/calibration.ts';
import { referenceMasses, referenceOf } from '#app/readings/reference-masses.ts';
import { heldWords, type NamedTrailer } from '#app/readings/visit-trailers.ts';
import { AXLES, axleGroupsOf, isTrailer, type Axle } from '#app/vehicles/axle.ts';
import { detailsIn, detailsWords, NO_DETAILS, type Details } from '#app/vehicles/group-details.ts';
import { labelled, pictureOf } from '#app/vehicles/picture-of-units.ts';
import type { ShownPicture } from '#app/vehicles/units-picture.tsx';

export type ShownGroups = {
  aside: string;
  picture: ShownPicture;
  /** `mass`: '' is not known. `held`: for which trailer its line holds; '': no trailer is named. */
  rows: { label: string; mass: string; words: string; held: string }[];
  foot: string;
};

const lowerFirst = (words: string): string => `${words.charAt(0).toLowerCase()}${words.slice(1)}`;

/**
 * Null: nothing is known. `trailers`: that the visit names, which the verdict rests on; null: there is no such visit.
 */
export function presentGroups(
  { kind, axleGroups, groupDetails }: { kind: string; axleGroups: string; groupDetails: string },
  trailers: readonly NamedTrailer[] | null,
): ShownGroups | null {
  const known = detailsIn(groupDetails);
  const withSensor = axleGroupsOf(axleGroups);
  const groups = AXLES.filter(({ axle }) => known[axle] !== undefined || withSensor.includes(axle));
  if (groups.length === 0) return null;
  const detailsOf = (axle: Axle) => known[axle] ?? NO_DETAILS;
  const isOfTruck = (axle: Axle) => isTrailer(axle) && kind === '';
  const held = (axle: Axle): string => {
    if (!isOfTruck(axle) || trailers === null) return '';
    const rego = trailers.find(({ group }) => group === axle)?.rego;
    if (rego === undefined) return '';
    const { lead, rest } = heldWords(rego);
    return `${lead} ${rest}`;
  };
  const details: Details = Object.fromEntries(groups.map(({ axle }) => [axle, detailsOf(axle)]));
  return {
    aside: withSensor.length === 0 ? '' : `${withSensor.length} with a sensor`,
    picture: {
      ...labelled(pictureOf(details)),
      words: groups.map(({ axle, label }) => `${label}: ${lowerFirst(detailsWords(detailsOf(axle)))}`).join('; '),
    },
    rows: groups.map(({ axle, label }) => ({
      label,
      mass: massWords(axle, known),
      words: `${detailsWords(detailsOf(axle))}${isOfTruck(axle) ? '. Read by the truck’s own unit.' : ''}`,
      held: held(axle),
    })),
    foot: `Masses are the reference mass of each group: table of ${formatDay(referenceMasses().from)}. A figure to compare with, not the law.`,
  };
}

function massWords(axle: Axle, known: Details): string {
  const reference = referenceOf(axle, known[axle]);
  return reference === undefined ? '' : `${formatValue(String(reference.kg))} kg${reference.isTyped ? ' (typed)' : ''}`;
}
