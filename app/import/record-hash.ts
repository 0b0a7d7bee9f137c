import { createHash } from 'node:crypto';

/** The same hash for the same record, whatever the order of its fields. */
export function hashOf(value: unknown): string {
  return createHash('sha256').update(stable(value)).digest('base64url').slice(0, 32);
}

function stable(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(stable).join(',')}]`;
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, part]) => `${JSON.stringify(key)}:${stable(part)}`)
      .join(',')}}`;
  return JSON.stringify(value) ?? 'null';
}
