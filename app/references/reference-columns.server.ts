// The fields of a weighbridge's form as columns and texts, and which of them changed.
import type { ActivityChange } from '#database/tables.ts';
import type { Reference } from './queries.server.ts';
import type { ReferenceField, ReferenceInput } from './reference-entry.ts';

type Columns = Pick<
  Reference,
  'name' | 'place' | 'state' | 'latitude' | 'longitude' | 'operator' | 'capacityKg' | 'intervalKg' | 'publicLicence'
>;

const COLUMNS = {
  name: 'name',
  place: 'place',
  state: 'state',
  latitude: 'latitude',
  longitude: 'longitude',
  operator: 'operator',
  capacity_kg: 'capacityKg',
  interval_kg: 'intervalKg',
  licence: 'publicLicence',
} as const satisfies Record<Exclude<ReferenceField, 'version'>, keyof Columns>;

export const FIELDS = Object.entries(COLUMNS).map(([field, column]) => ({ field, column }));

type Same = Pick<Columns, 'name' | 'place' | 'state' | 'latitude' | 'longitude' | 'operator'>;

// Those of one name in the form and in the table.
function sameOf({ name, place, state, latitude, longitude, operator }: Same): Same {
  return { name, place, state, latitude, longitude, operator };
}

export function columnsOf(input: Omit<ReferenceInput, 'version'>): Columns {
  return {
    ...sameOf(input),
    capacityKg: input.capacity_kg,
    intervalKg: input.interval_kg,
    publicLicence: input.licence,
  };
}

/** As the form sends them. */
export function inputOf(reference: Columns): Omit<ReferenceInput, 'version'> {
  return {
    ...sameOf(reference),
    capacity_kg: reference.capacityKg,
    interval_kg: reference.intervalKg,
    licence: reference.publicLicence,
  };
}

/** As the form shows them. */
export const textsOf = (reference: Columns): Record<string, string> =>
  Object.fromEntries(FIELDS.map(({ field, column }) => [field, String(reference[column] ?? '')]));

export const changesOf = (before: Columns, after: Columns): ActivityChange[] =>
  FIELDS.map(({ field, column }) => ({ field, from: before[column], to: after[column] })).filter(
    ({ from, to }) => from !== to,
  );
