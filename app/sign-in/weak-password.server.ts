// Refuses passwords that are easy to guess. zxcvbn estimates the guesses needed; kinds of characters do not matter.
// Words about the person count for nothing, as a targeted attack tries them first. zxcvbn loads at the first new
// password, as its lists take some 10 MB.
import type { Config } from '#app/platform/process/config.server.ts';
import type { Db, Tx } from '#app/platform/database/database.server.ts';

/** On zxcvbn's scale of 0 to 4; 3 is more than a hundred million guesses. */
const SCORE_MIN = 3;
/** Only so many characters are scored: more take up to half a second. A password with a strong beginning is strong. */
const JUDGED_CHARACTERS = 64;
/** Shorter words occur in any sentence, so they are not removed. */
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
  // The password must be strong even without those words.
  return scoreOf(without(password, wordsOf([registryName, ...personal]))) < SCORE_MIN ? PERSONAL_PASSWORD : undefined;
}

/** The names, emails and companies of a person. */
export async function personalWords(db: Db | Tx, personId: string): Promise<string[]> {
  const staff = await db.selectFrom('staff').select(['name', 'email']).where('personId', '=', personId).execute();
  const technicians = await db
    .selectFrom('technician')
    .select(['repName', 'companyName', 'email'])
    .where('personId', '=', personId)
    .execute();
  return [...staff, ...technicians].flatMap((row) => Object.values(row));
}

async function loadJudge(): Promise<(password: string) => number> {
  const [{ ZxcvbnFactory }, { dictionary, adjacencyGraphs }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });
  return (password) => estimator.check(password.slice(0, JUDGED_CHARACTERS)).score;
}

// For 'mia.kowalski@scales.example': the text, 'miakowalskiscalesexample' and each word; longest first.
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

// Look-alike characters: 'K0w@lsk1' matches 'kowalski'.
const ALIKE: Readonly<Record<string, string>> = { a: '[a4@]', e: '[e3]', i: '[i1!]', l: '[l1]', o: '[o0]', s: '[s5$]' };
const patternOf = (word: string): RegExp =>
  new RegExp(
    Array.from(word, (sign) => ALIKE[sign] ?? sign.replace(/[\\^$.*+?()[\]{}|]/, String.raw`\$&`)).join(''),
    'g',
  );
