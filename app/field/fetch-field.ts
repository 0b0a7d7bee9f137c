// Fetches what the phone holds. Whatever is not the registry's answer, such as the login page of a hotel's Wi-Fi, is
// none.
import { isSentToSignIn } from '#app/platform/http/own-answer.ts';
import type { FieldData } from './field.ts';
import type { Fetched } from './phone-store.ts';

export async function fetchField(
  regos: readonly string[],
): Promise<{ signal: 'signed in' | 'signed out' | 'no answer'; fetched?: Fetched }> {
  try {
    const query = new URLSearchParams(regos.map((rego) => ['rego', rego]));
    const answer = await fetch(`/field/data?${query}`, { cache: 'no-store' });
    if (isSentToSignIn(answer)) return { signal: 'signed out' };
    const data: unknown = answer.ok ? await answer.json() : undefined;
    return isFieldData(data)
      ? { signal: 'signed in', fetched: { ...data, fetchedAt: new Date().toISOString() } }
      : { signal: 'no answer' };
  } catch {
    return { signal: 'no answer' };
  }
}

const isFieldData = (data: unknown): data is FieldData =>
  typeof data === 'object' && data !== null && 'at' in data && 'trucks' in data && 'person' in data;
