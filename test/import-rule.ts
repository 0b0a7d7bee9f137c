// Which file may import which: the levels of folders (CONTRIBUTING.md), read from the files' own imports.
import path from 'node:path';

/** From the ground up. A folder imports lower levels, and on its own level what stands to its left. */
export const LEVELS: readonly (readonly string[])[] = [
  [
    'platform/process',
    'platform/time',
    'platform/database',
    'platform/storage',
    'platform/http',
    'platform/live',
    'platform/mail',
    'platform/paper',
    'platform/embedded-postgres',
    'platform/auth',
    'platform/services',
    'ui',
    'tlog',
  ],
  ['activity-log', 'access', 'files', 'forms'],
  ['transparency-log'],
  ['people', 'sign-in', 'policy', 'witnesses'],
  ['references', 'check-visits', 'vehicles'],
  ['readings', 'visits', 'recording'],
  [
    'labels',
    'check-list',
    'field',
    'vehicle-import',
    'following',
    'wrong-records',
    'vehicle-page',
    'combination',
    'patterns',
    'check-visits/office',
    'visit-queue',
    'withdrawals',
    'reports',
    'logs',
    'admins',
    'technicians',
    'applications',
    'public-search',
    'vin-conflicts',
    'dashboard',
    'find',
    'digest',
  ],
  ['shell'],
  ['import', 'backup'],
];
const ORDER = LEVELS.flat();

/** What stands outside app/, and which of the others it may import. */
const OUTSIDE: Readonly<Record<string, readonly string[]>> = {
  app: ['database'],
  database: [],
  server: ['app', 'database'],
  commands: ['app', 'database', 'server'],
};

export type Import = { from: string; to: string; specifier: string; isType: boolean };

/** `text`'s imports of files of the project. */
export function importsOf(from: string, text: string): Import[] {
  const found = text.matchAll(
    /(?:^|[\s;])(import|export)\s*(?:(type\s)?([\w\s{},*$]*?)\sfrom\s*)?\(?\s*'([#.][^']+)'/g,
  );
  return [...found].map(([, , type, names = '', specifier = '']) => {
    const to = specifier.startsWith('#') ? specifier.slice(1) : path.join(path.dirname(from), specifier);
    const named =
      /^\s*\{([^}]*)\}\s*$/
        .exec(names)?.[1]
        ?.split(',')
        .filter((name) => name.trim() !== '') ?? [];
    const isType = type !== undefined || (named.length > 0 && named.every((name) => name.trim().startsWith('type ')));
    return { from, to, specifier, isType };
  });
}

/**
 * The folder of a file of app/ as the levels name it, by its own name or with its parent's; undefined: it stands in
 * app/ itself.
 */
function folderOf(file: string): string | undefined {
  const [, first, second, third] = file.split('/');
  if (second === undefined) return undefined;
  const nested = `${first}/${second}`;
  return ORDER.includes(nested) || (first === 'platform' && third !== undefined) ? nested : first;
}

const isRoute = (file: string) => /^app\/[^/]+\/routes\//.test(file);
const topOf = (file: string) => file.split('/')[0] ?? '';

/** What is wrong with an import, in a sentence that names both files; undefined: nothing. */
export function offence({ from, to, specifier, isType }: Import): string | undefined {
  const says = (why: string) => `${from} imports ${to}: ${why}`;
  if (specifier.includes('/+types/') || to === 'package.json') return undefined;
  const [top, other] = [topOf(from), topOf(to)];
  if (top !== other && !(OUTSIDE[top] ?? []).includes(other)) return says(`${top} does not know ${other}`);
  if (isRoute(to)) return says('pages are reached through app/routes.ts');
  if (top !== 'app') return undefined;
  return wrongStyle(from, specifier, says) ?? wrongSide(from, to, isType, says) ?? wrongWay(from, to, says);
}

type Says = (why: string) => string;

function wrongStyle(from: string, specifier: string, says: Says): string | undefined {
  if (!specifier.startsWith('..')) return undefined;
  if (isRoute(from) && /^\.\.\/[^./]/.test(specifier)) return undefined;
  return says('another folder is reached as #app/…, the own one as ./ and from routes/ as ../');
}

function wrongSide(from: string, to: string, isType: boolean, says: Says): string | undefined {
  if (isType || isRoute(from) || folderOf(from) === undefined) return undefined;
  const isServer = from.endsWith('.server.ts');
  if (!isServer && to.endsWith('.server.ts'))
    return says('what may run in a browser takes types from the server, never values');
  if (!from.endsWith('.tsx') && to.endsWith('.tsx')) return says('rules and server code do not know the screen');
  return undefined;
}

/**
 * The longest way along `imports`, file by file; types count, and so do loads on demand. Files that import each other
 * in a circle are an error.
 */
export function longestChain(imports: readonly Import[]): string[] {
  const targets = new Map<string, string[]>();
  for (const { from, to } of imports) targets.set(from, [...(targets.get(from) ?? []), to]);
  const known = new Map<string, string[]>();
  const chainFrom = (file: string, above: readonly string[]): string[] => {
    if (above.includes(file)) throw new Error(`a circle of imports: ${[...above, file].join(' → ')}`);
    const before = known.get(file);
    if (before !== undefined) return before;
    const chains = (targets.get(file) ?? []).map((to) => chainFrom(to, [...above, file]));
    const chain = [file, ...longest(chains)];
    known.set(file, chain);
    return chain;
  };
  return longest([...targets.keys()].map((file) => chainFrom(file, [])));
}

const longest = (chains: readonly string[][]): string[] =>
  chains.reduce((best, chain) => (chain.length > best.length ? chain : best), []);

function wrongWay(from: string, to: string, says: Says): string | undefined {
  const [here, there] = [folderOf(from), folderOf(to)];
  if (here === undefined || there === undefined || here === there || topOf(to) !== 'app') return undefined;
  const [mine, theirs] = [ORDER.indexOf(here), ORDER.indexOf(there)];
  if (mine === -1) return says(`the folder ${here} has no level`);
  if (theirs === -1) return says(`the folder ${there} has no level`);
  if (isRoute(from)) return undefined;
  return theirs < mine ? undefined : says(`${here} stands below ${there}`);
}
