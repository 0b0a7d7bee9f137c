import { hash } from 'node:crypto';
import { isObject } from './record-reader.ts';

/** The same hash for the same record, whatever the order of its fields. */
export function hashOf(value: unknown): string {
  return hash('sha256', stable(value), 'base64url').slice(0, 32);
}

function stable(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(stable).join(',')}]`;
  if (isObject(value)) {
    let members = '';
    for (const key of Object.keys(value).sort())
      members += `${members === '' ? '' : ','}${JSON.stringify(key)}:${stable(value[key])}`;
    return `{${members}}`;
  }
  return JSON.stringify(value) ?? 'null';
}
