// What every check answers. There are three answers and no fourth: an error of any kind is never 'proved'.
import { Malformed } from './bytes.ts';

export type Verification = { result: 'proved' | 'tampered' | 'could-not-tell'; sentence: string };

/** Thrown inside a check: what was shown cannot be what was signed. The message is the answer's sentence. */
export class Tampered extends Error {}

/** Thrown inside a check: there is not enough to judge. The message is the answer's sentence. */
export class CouldNotTell extends Error {}

/** Runs a check that returns the sentence of what it proved, or throws. */
export async function verification(check: () => Promise<string>): Promise<Verification> {
  try {
    return { result: 'proved', sentence: await check() };
  } catch (error) {
    const { message } = error instanceof Error ? error : new Error(String(error));
    if (error instanceof Tampered) return { result: 'tampered', sentence: message };
    if (error instanceof CouldNotTell) return { result: 'could-not-tell', sentence: message };
    return {
      result: 'could-not-tell',
      sentence: error instanceof Malformed ? `It cannot be read: ${message}.` : `The check failed: ${message}.`,
    };
  }
}
