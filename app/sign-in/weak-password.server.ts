// Whether a new password would be guessed soon: judged by zxcvbn (guesses needed, not kinds of characters), with the words
// that somebody who aims at this person tries first. Loaded at the first new password: its lists take some 10 MB.
import type { Config } from '#app/platform/process/config.server.ts';
import type { Db, Tx } from '#app/platform/database/database.server.ts';

/** Of 0 to 4: more than a hundred million guesses. */
const SCORE_MIN = 3;
/** The judge takes up to half a second for more; what begins with that much of a strong one is strong. */
const JUDGED_CHARACTERS = 64;
/** Shorter ones stand in any sentence. */
const WORD_MIN = 3;

const ADVICE = 'Use four or five words that do not belong together.';
export const EASY_PASSWORD = `This password is easy to guess. ${ADVICE}`;
export const PERSONAL_PASSWORD = `A name, an email, a company or the registry’s name is easy to guess. ${ADVICE}`;

let judge: Promise<(password: string) => number> | undefined;

/** Why `password` is too weak for somebody with these names, emails and companies; undefined when it is strong. */
export async function weaknessOf(
  { registryName }: Pick<Config, 'registryName'>,
  password: string,
  personal: readonly string[],
): Promise<string | undefined> {
  judge ??= loadJudge();
  const scoreOf = await judge;
  if (scoreOf(password) < SCORE_MIN) return EASY_PASSWORD;
  // What is left without those words has to be strong by itself.
  return scoreOf(without(password, wordsOf([registryName, ...personal]))) < SCORE_MIN ? PERSONAL_PASSWORD : undefined;
}

/** The names, emails and companies of a person. */
export async function personalWords(db: Db | Tx, personId: string): Promise<string[]> {
  const admins = await db.selectFrom('admin').select(['name', 'email']).where('personId', '=', personId).execute();
  const technicians = await db
    .selectFrom('technician')
    .select(['repName', 'companyName', 'email'])
    .where('personId', '=', personId)
    .execute();
  return [...admins, ...technicians].flatMap((row) => Object.values(row));
}

async function loadJudge(): Promise<(password: string) => number> {
  const [{ ZxcvbnFactory }, { dictionary, adjacencyGraphs }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });
  return (password) => estimator.check(password.slice(0, JUDGED_CHARACTERS)).score;
}

// 'mia.kowalski@scales.example': the whole of it, 'miakowalskiscalesexample', and its words; the longest first.
function wordsOf(texts: readonly string[]): string[] {
  const words = texts.flatMap((text) => {
    const parts = plain(text).split(/[^\p{L}\p{N}]+/u);
    return [plain(text), parts.join(''), ...parts];
  });
  return [...new Set(words)].filter((word) => word.length >= WORD_MIN).toSorted((a, b) => b.length - a.length);
}

const without = (password: string, words: readonly string[]): string =>
  words.reduce((rest, word) => rest.replaceAll(patternOf(word), ''), plain(password));

const plain = (text: string): string => text.normalize('NFKC').toLowerCase();

// 'K0w@lsk1' reads as Kowalski.
const ALIKE: Readonly<Record<string, string>> = { a: '[a4@]', e: '[e3]', i: '[i1!]', l: '[l1]', o: '[o0]', s: '[s5$]' };
const patternOf = (word: string): RegExp =>
  new RegExp(
    Array.from(word, (sign) => ALIKE[sign] ?? sign.replace(/[\\^$.*+?()[\]{}|]/, String.raw`\$&`)).join(''),
    'g',
  );
