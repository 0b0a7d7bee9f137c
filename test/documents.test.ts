// What the documents and comments name is there: files, links, headings, tests and commands.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { LEAF_WORDS } from '#app/transparency-log/log-words.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const FOLDERS = [
  'app',
  'bench',
  'commands',
  'database',
  'deploy',
  'docs',
  'e2e',
  'public',
  'scripts',
  'server',
  'test',
];
// A path from the root, in documents without its ending too; and a file by its name alone.
const START = `(?<![\\w./@:-])(?:${FOLDERS.join('|')})(?:/[\\w-]+(?:\\.[\\w-]+)*)+`;
const PATH = new RegExp(`${START}(?![\\w-])`, 'g');
const PATH_OF_FILE = new RegExp(`${START}\\.[a-z]+\\b`, 'g');
const NAME = /(?<![\w./*…<>-])[a-z][\w-]*(?:\.[a-z]+)*\.(?:tsx?|mjs|sql|sh|service|timer)\b/g;
// Made by a command, never in the repository.
const MADE = new Set(['verify.mjs', 'mirror.mjs', 'witness.mjs', 'deploy/secrets']);

const texts = new Map<string, string>();
let files: readonly string[] = [];

beforeAll(async () => {
  const found = await Promise.all(
    FOLDERS.map(async (folder) =>
      (await readdir(path.join(ROOT, folder), { recursive: true })).map((name) => `${folder}/${name}`),
    ),
  );
  files = [...found.flat(), ...(await readdir(ROOT))];
  for (const file of files)
    if (/(?:^package\.json|\.(?:md|tsx?|mjs))$/.test(file))
      texts.set(file, await readFile(path.join(ROOT, file), 'utf8'));
});

const documents = () => [...texts].filter(([file]) => file.endsWith('.md'));
const missing = (of: Iterable<readonly [string, string]>, pattern: RegExp, isThere: (found: string) => boolean) =>
  [...of].flatMap(([file, text]) =>
    [...text.matchAll(pattern)].flatMap(([found]) => (isThere(found) ? [] : [`${file}: ${found}`])),
  );

test('each path that a document or a comment names is there', () => {
  expect(documents().length).toBeGreaterThan(20);
  const isThere = (found: string) =>
    MADE.has(found) || files.some((file) => file === found || /^[.-]/.test(file.replace(found, '')));
  expect(missing(documents(), PATH, isThere)).toEqual([]);
  const comments = [...texts].map(
    ([file, text]) => [file, (text.match(/^\s*(?:\/\/|\*|\/\*).*$/gm) ?? []).join('\n')] as const,
  );
  expect(missing(comments, PATH_OF_FILE, (found) => files.includes(found))).toEqual([]);
});

test('each comment keeps within 120 columns', () => {
  const lines = [...texts].flatMap(([file, text]) =>
    file.endsWith('.md') ? [] : text.split('\n').map((line, index) => ({ at: `${file}:${index + 1}`, line })),
  );
  const comments = lines.filter(({ line }) => /^\s*(?:\/\/|\/?\*|\{\/\*)|[;,{] \/\/ /.test(line));
  expect(comments.length).toBeGreaterThan(5000);
  expect(comments.flatMap(({ at, line }) => (line.length > 120 ? [at] : []))).toEqual([]);
});

test('each file that a document names without its folder is there', () => {
  const names = new Set(files.map((file) => path.basename(file)));
  expect(missing(documents(), NAME, (found) => names.has(found) || MADE.has(found))).toEqual([]);
});

test('each link of a document leads to a file, and to a heading of it', () => {
  const broken = documents().flatMap(([file, text]) =>
    [...text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)]+))?\)/g)].flatMap(([, to = '', heading]) => {
      const target = to === '' ? file : path.posix.join(path.posix.dirname(file), to);
      const isThere = files.includes(target) && (heading === undefined || headingsOf(target).has(heading));
      return isThere ? [] : [`${file}: ${to}#${heading ?? ''}`];
    }),
  );
  expect(broken).toEqual([]);
});

const scriptsOfPackage = () =>
  z
    .object({ scripts: z.record(z.string(), z.string()) })
    .parse(JSON.parse(texts.get('package.json') ?? '{"scripts":{}}')).scripts;

test('each command that there is has its script', () => {
  const scripts = scriptsOfPackage();
  const rows = (texts.get('scripts/commands.mjs') ?? '').matchAll(/^ {2}'?([\w:-]+)'?: \{ /gm);
  const names = [...rows].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(15);
  expect(names.filter((name) => !(name in scripts))).toEqual([]);
});

test('each command that a document names is one of package.json', () => {
  const scripts = scriptsOfPackage();
  expect(
    missing(documents(), /npm run (?:-s )?[a-z][\w:-]*/g, (found) => (found.split(' ').at(-1) ?? '') in scripts),
  ).toEqual([]);
});

test('each kind of log entry is documented, and no other', () => {
  const rows = (texts.get('docs/log-entries.md') ?? '').matchAll(/^\| (`[^|]+) \|/gm);
  const kinds = [...rows].flatMap(([, names = '']) => [...names.matchAll(/`([a-z.-]+)`/g)].map(([, kind]) => kind));
  expect(kinds.toSorted()).toEqual(Object.keys(LEAF_WORDS).toSorted());
});

test('no letter or number of a deviation stands for two', () => {
  const rows = [...(texts.get('docs/deviations.md') ?? '').matchAll(/^\| (\w+) \|/gm)].map(([, name]) => name);
  expect(rows.length).toBeGreaterThan(40);
  expect(new Set(rows).size).toBe(rows.length);
});

test('whatever a module of the product remembers says what it buys, and when it is deletable', () => {
  const product = [...texts].filter(([file]) => /^(app|server)\//.test(file) && !/\.test\.tsx?$/.test(file));
  const caches = product.filter(([, text]) =>
    /^const \w+(?:: [^=]+)? = new (?:Map|LRUCache)\b(?:<[^\n]*>)?\(\)/m.test(text),
  );
  expect(caches.length).toBeGreaterThan(1);
  const silent = caches.filter(([, text]) => !/\b[Bb]uys\b[^]*\bDeletable\b/.test(text.slice(0, 2000)));
  expect(silent.map(([file]) => file)).toEqual([]);
});

// As GitHub makes the address of a heading.
function headingsOf(file: string): ReadonlySet<string> {
  const headings = (texts.get(file) ?? '').matchAll(/^#+ (.+)$/gm);
  return new Set(
    [...headings].map(([, text = '']) =>
      text
        .toLowerCase()
        .replace(/[^\w\s-]/g, '')
        .replaceAll(' ', '-'),
    ),
  );
}
