// What stood beside a vehicle at the visit that its verdict rests on: of a truck which trailer each line was taken
// with, of a trailer the truck that it was weighed with.
import { href } from 'react-router';
import { formatDay } from '#app/platform/time/calendar.ts';
import type { CalibrationSet } from '#app/readings/queries.server.ts';
import type { WeighedWith } from '#app/readings/weighed-with.server.ts';
import { heldWords, trailersIn, type NamedTrailer } from '#app/readings/visit-trailers.ts';
import type { VisitOfTruck } from '#app/visits/evidence.ts';
import type { EvidenceNote } from '#app/visits/evidence-words.ts';
import { AXLES, isTrailer, type Axle } from '#app/vehicles/axle.ts';

type Records = {
  vehicle: { rego: string; kind: string };
  sets: readonly Pick<CalibrationSet, 'id' | 'trailers'>[];
  readings: readonly { visitId: string | null; axle: Axle }[];
  weighedWith: WeighedWith | null;
};

export function trailerNotes(
  { vehicle, sets, readings, weighedWith }: Records,
  ruling: Pick<VisitOfTruck, 'id' | 'visitedOn'> | null,
): EvidenceNote[] {
  if (ruling === null) return [];
  if (vehicle.kind !== '') return togetherNote(weighedWith?.together ?? [], ruling.visitedOn);
  const named = trailersOf(sets, ruling.id);
  const read = new Set(readings.filter(({ visitId }) => visitId === ruling.id).map(({ axle }) => axle));
  return AXLES.filter(({ axle }) => isTrailer(axle) && read.has(axle)).map(({ axle, label }): EvidenceNote => {
    const rego = named.find(({ group }) => group === axle)?.rego ?? '';
    const { lead, rest } = heldWords(rego);
    const here = weighedWith?.registered.includes(rego) === true ? rego : null;
    return {
      look: 'trailer',
      quiet: 'link-2',
      lead: `${label}: ${lead.charAt(0).toLowerCase()}${lead.slice(1)}`,
      rest,
      card: null,
      link: here === null ? null : linkTo(here),
    };
  });
}

const togetherNote = (together: readonly string[], on: string): EvidenceNote[] =>
  together.length === 0
    ? []
    : [
        {
          look: 'trailer',
          quiet: 'link-2',
          lead: `Weighed together with ${together.join(', ')} on ${formatDay(on)}.`,
          rest: 'It keeps its calibration behind another truck.',
          card: null,
          link: linkTo(together[0] ?? ''),
        },
      ];

const linkTo = (rego: string) => ({ to: href('/vehicles/view/:rego', { rego }), words: `See ${rego}` });

/** The trailers that a visit names. */
export const trailersOf = (sets: Records['sets'], visitId: string | undefined): NamedTrailer[] =>
  trailersIn(sets.find(({ id }) => id === visitId)?.trailers ?? '');
