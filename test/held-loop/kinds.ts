// Large, deep, repeated and slow input: of each kind as much as is read.
import { gzipSync } from 'node:zlib';

export type Kind = {
  name: string;
  parameter?: string;
  query?: string;
  headers?: Readonly<Record<string, string>>;
  /** Of at most `bytes`. */
  body?: (bytes: number) => Buffer | string;
  /** The body comes in so many pieces, with pauses. */
  pieces?: number;
};

const URL_MAX = 1900;
const HEADER_MAX = 9000;
const up = (part: string, bytes: number) => part.repeat(Math.floor(bytes / Buffer.byteLength(part)));
const header = (name: string, part: string): Kind => ({
  name: `${name} of ${JSON.stringify(part)}`,
  headers: { [name]: up(part, HEADER_MAX) },
});
const query = (name: string, part: string): Kind => ({ name, query: up(part, URL_MAX) });

/** What every method has. */
export const HEADS: readonly Kind[] = [
  query('one name many times', 'q=1&'),
  { name: 'many names', query: Array.from({ length: 230 }, (_, at) => `n${at}=${at}`).join('&') },
  query('a deep name', '[a]'),
  query('escapes', '%41'),
  { name: 'a long text to search', query: `q=${up('XV0-%20', URL_MAX)}` },
  { name: 'volts of many digits', query: `steer=${up('9', URL_MAX)}&page=${'9'.repeat(15)}` },
  { name: 'a long parameter', parameter: up('A', URL_MAX) },
  { name: 'a deep path', parameter: up('a/', URL_MAX) },
  { name: 'a path of dashes and dots', parameter: up('-._', URL_MAX) },
  header('range', 'bytes=0-1,'),
  header('range', '0'),
  header('if-none-match', 'W/"a",'),
  header('if-none-match', ' '),
  header('accept-encoding', 'gzip;q=0'),
  header('accept-encoding', 'br ; '),
  header('accept', 'text/html,'),
  header('accept-language', 'en;q=0.1,'),
  header('cookie', 'a=b; '),
  header('cookie', 'registry.session_token=a.b; '),
  header('x-forwarded-for', '[::1]:1,'),
  header('user-agent', '(a '),
  { name: 'a long referer', headers: { referer: `http://127.0.0.1/${up('a/?', HEADER_MAX)}` } },
];

const FORM = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data; boundary=b';
const END = '--b--\r\n';
const part = (head: string, body = '') => `--b\r\n${head}\r\n\r\n${body}\r\n`;
const field = (name: string, body = '') => part(`Content-Disposition: form-data; name="${name}"`, body);
const file = (body: string) => part('Content-Disposition: form-data; name="file"; filename="a.csv"', body);
const list = (name: string, line: string): Kind[] => [
  sent(`a pasted list of ${name}`, MULTIPART, (bytes) => `${field('list', up(line, bytes - 200))}${END}`),
  sent(`a file of ${name}`, MULTIPART, (bytes) => `${file(up(line, bytes - 200))}${END}`),
  sent(`CSV of ${name}`, 'text/csv', (bytes) => up(line, bytes)),
];
function sent(name: string, type: string, body: (bytes: number) => Buffer | string): Kind {
  return { name, headers: { 'content-type': type }, body };
}
const deep = (open: string, close: string) => (bytes: number) =>
  `{"lines":${up(open, bytes / 2 - 20)}${up(close, bytes / 2 - 20)}}`;

export const BODIES: readonly Kind[] = [
  sent('one field many times', FORM, (bytes) => up('a=&', bytes)),
  sent('one axle many times', FORM, (bytes) => up('axle=STEER&', bytes)),
  sent('many fields', FORM, (bytes) => Array.from({ length: bytes / 10 }, (_, at) => `n${at}=`).join('&')),
  sent('a field of escapes', FORM, (bytes) => `list=${up('%0A', bytes - 5)}`),
  sent('a field of pluses', FORM, (bytes) => `email=${up('+', bytes - 6)}`),
  sent('a long address', FORM, (bytes) => `email=${up('a.', bytes / 2)}@${up('b.', bytes / 2 - 20)}`),
  sent('a long password', FORM, (bytes) => `email=a%40b.example&password=${up('pass', bytes - 40)}`),
  sent('many parts', MULTIPART, (bytes) => `${up(field('a'), bytes - 20)}${END}`),
  sent('many parts without names', MULTIPART, (bytes) => `${up(part('A: b'), bytes - 20)}${END}`),
  sent('many files', MULTIPART, (bytes) => `${up(file('x'), bytes - 20)}${END}`),
  sent('a part with many headers', MULTIPART, (bytes) => `--b\r\n${up('A: b\r\n', bytes - 20)}\r\n${END}`),
  sent('a part of half boundaries', MULTIPART, (bytes) => `${field('list', up('\r\n-', bytes - 200))}${END}`),
  sent('a file of half boundaries', MULTIPART, (bytes) => `${file(up('\r', bytes - 200))}${END}`),
  sent('a name of escapes', MULTIPART, (bytes) => part(`Content-Disposition: form-data; name="${up('\\"', bytes)}"`)),
  sent(
    'JSON of many keys',
    'application/json',
    (bytes) => `{${Array.from({ length: bytes / 15 }, (_, at) => `"k${at}":1`).join(',')}}`,
  ),
  sent('deep arrays', 'application/json', deep('[', ']')),
  sent('deep objects', 'application/json', (bytes) => up('{"a":', bytes)),
  sent('JSON of many lines', 'application/json', (bytes) => `{"lines":[${up('"XV",', bytes - 30)}""]}`),
  sent('JSON of a long line', 'application/json', (bytes) => `{"lines":["${up('\\u0041', bytes - 30)}"]}`),
  sent('a long number', 'application/json', (bytes) => up('9', bytes)),
  ...list('commas', ','),
  ...list('commas and lines', `${','.repeat(800)}\n`),
  ...list('empty lines', '\n'),
  ...list('quotes', '"'),
  ...list('quoted line ends', '"\n",,,'),
  ...list('tabs after letters', 'a\t'),
  ...list('letters', 'A'),
  ...list('long lines', `${'XV04KL '.repeat(100)}\n`),
  ...list('equal signs', '="'),
  ...list('regos', 'XV04KL\n'),
  sent('CSV in UTF-16', 'text/csv', (bytes) => Buffer.from(up(',;\t', bytes / 2), 'utf16le')),
  sent('CSV that is no UTF-8', 'text/csv', (bytes) => Buffer.alloc(bytes, 0xe9)),
  { ...sent('a bomb', FORM, (bytes) => gzipSync(up('a=&', bytes * 10))), headers: { 'content-encoding': 'gzip' } },
  { ...sent('a slow form', FORM, () => up('a=&', 3000)), pieces: 30 },
  { ...sent('slow parts', MULTIPART, () => `${up(field('a'), 3000)}${END}`), pieces: 30 },
];
