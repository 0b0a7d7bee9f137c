// What every check answers. There are three answers and no fourth: an error of any kind is never 'proved'.
import { Malformed } from './bytes.ts';

/** `isOld`: proved, but its witnesses have not been heard of for a day. */
export type Verification = { result: 'proved' | 'tampered' | 'could-not-tell'; sentence: string; isOld?: true };
/** What a check proved. */
export type Proved = { sentence: string; isOld: boolean };

/** Thrown inside a check: what was shown cannot be what was signed. The message is the answer's sentence. */
export class Tampered extends Error {}

/** Thrown inside a check: there is not enough to judge. The message is the answer's sentence. */
export class CouldNotTell extends Error {}

/** Runs a check that returns what it proved, or throws. */
export async function verification(check: () => Promise<string | Proved>): Promise<Verification> {
  try {
    const proved = await check();
    if (typeof proved === 'string') return { result: 'proved', sentence: proved };
    return { result: 'proved', sentence: proved.sentence, ...(proved.isOld ? { isOld: true } : {}) };
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
