// Cosignatures under a note, as witnesses of a test give them.
import { cosignatureLine, keyFromSeed, WITNESS_KEY } from './signed-note.ts';

export const witnessKey = (name: string) => keyFromSeed(`${name}.example/w`, WITNESS_KEY, `test witness ${name}`);

/** The note with a cosignature of each of these witnesses. `at`: when. */
export function cosigned(note: Uint8Array, names: readonly string[], at: Date): Uint8Array<ArrayBuffer> {
  const text = new TextDecoder().decode(note);
  const body = text.slice(0, text.indexOf('\n\n') + 1);
  const time = BigInt(Math.floor(at.getTime() / 1000));
  return new TextEncoder().encode(
    `${text}${names.map((name) => cosignatureLine(witnessKey(name), body, time)).join('')}`,
  );
}

/** A policy of them: so many are the quorum. */
export function policyText(names: readonly string[], least: number): string {
  const lines = names.map((name) => `witness ${name} ${witnessKey(name).vkey}`);
  return [...lines, `group all-of-them ${least} ${names.join(' ')}`, 'quorum all-of-them', ''].join('\n');
}
