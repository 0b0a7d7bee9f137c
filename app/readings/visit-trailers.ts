// Which trailers were behind the truck at a visit, as one text: 'TRAILERA T12345; own T67890' says that Trailer A was
// T12345, which the truck's own unit read, and that T67890 has a unit of its own.
import { axleLabel, isAxle, type Axle } from '#app/vehicles/axle.ts';

/** `group`: null: it has a unit of its own. */
export type NamedTrailer = { group: Axle | null; rego: string };

export const trailersText = (trailers: readonly NamedTrailer[]): string =>
  trailers.map(({ group, rego }) => `${group ?? 'own'} ${rego}`).join('; ');

export const trailersIn = (text: string): NamedTrailer[] =>
  text.split('; ').flatMap((entry) => {
    const [group = '', rego] = entry.split(' ');
    return rego === undefined ? [] : [{ group: isAxle(group) ? group : null, rego }];
  });

/** 'Trailer A was T12345; T67890 has a unit of its own' */
export const trailersWords = (text: string): string =>
  trailersIn(text)
    .map(({ group, rego }) => (group === null ? `${rego} has a unit of its own` : `${axleLabel(group)} was ${rego}`))
    .join('; ');

/** What holds of the line of a trailer's group. `rego`: '' where the visit does not name the trailer. */
export const heldWords = (rego: string): { lead: string; rest: string } =>
  rego === ''
    ? {
        lead: 'The trailer is not named.',
        rest: 'If another one is behind the truck today, this line does not hold for it.',
      }
    : { lead: `Taken with trailer ${rego}.`, rest: 'It does not hold for another trailer.' };

/** The address where a truck is checked with the trailers of its last visit; '' where that names none. */
export const combinationOf = (rego: string, trailers: readonly NamedTrailer[]): string =>
  trailers.length === 0
    ? ''
    : `/combination?${[rego, ...trailers.map((trailer) => trailer.rego)].map((unit) => `unit=${unit}`).join('&')}`;
