// Weighbridges for tests. All names are invented.
import { referenceSchema, type ReferenceInput } from '#app/references/reference-entry.ts';

export const referenceInput = (more: Record<string, string> = {}): ReferenceInput =>
  referenceSchema.parse({
    name: 'Example Creek weighbridge',
    place: 'Example Creek',
    state: 'VIC',
    latitude: '-30',
    longitude: '155.0000',
    operator: 'Example Creek Bulk Pty Ltd',
    capacity_kg: '80,000',
    interval_kg: '20',
    licence: 'PW-1182',
    ...more,
  });
