// Kinds of requests that no page sends. A finding names its kind.
import { gzipSync } from 'node:zlib';

export type Kind = {
  name: string;
  /** For the last parameter of the path. */
  parameter?: string;
  /** After the path. */
  query?: string;
  cookie?: string;
  headers?: Readonly<Record<string, string>>;
  body?: Buffer | string;
};

const URL_MAX = 1900;
const HEADER_MAX = 9000;
const FORM = 'application/x-www-form-urlencoded';
const BOUNDARY = 'x-fuzz';
const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`;

const TEXTS = {
  NUL: '%00',
  'a broken escape': '%E0%A4%A',
  'a bare percent sign': '%',
  'no UTF-8': '%FF%FE',
  'half a surrogate': '%ED%A0%80',
  'a line break': '%0D%0ASet-Cookie:%20a=b',
  'the way up': '..%2F..%2Fetc%2Fpasswd',
  'a prototype': '__proto__',
  'right to left': '%E2%80%AE%F0%9F%9A%9B',
  'a quote': '%27%22%3B--%20%5C',
  'a large number': '9'.repeat(400),
  'a negative number': '-1',
};

export const PATHS: readonly Kind[] = [
  ...Object.entries(TEXTS).map(([name, parameter]) => ({ name: `a parameter that is ${name}`, parameter })),
  { name: 'a long parameter', parameter: 'A'.repeat(URL_MAX) },
  { name: 'a parameter that is too long', parameter: 'A'.repeat(8000) },
  { name: 'a deep path', parameter: 'a/'.repeat(URL_MAX / 2) },
  { name: 'a path of dots', parameter: './../'.repeat(200) },
  { name: 'a path with two slashes', parameter: '//x' },
];

export const QUERIES: readonly Kind[] = [
  ...Object.entries(TEXTS).map(([name, text]) => ({
    name: `a query with ${name}`,
    query: [
      'q',
      'who',
      'record',
      'from',
      'to',
      'page',
      'kind',
      'sort',
      'verdict',
      'link',
      'topic',
      'since',
      'rego',
      'id',
    ]
      .map((field) => `${field}=${text.slice(0, 100)}`)
      .join('&'),
  })),
  { name: 'a long query', query: `q=${'a'.repeat(URL_MAX)}` },
  { name: 'a query that is too long', query: `q=${'a'.repeat(10_000)}` },
  { name: 'a deep query', query: `q${'[a]'.repeat(400)}=1` },
  { name: 'a name many times', query: 'q=1&page=2&'.repeat(120) },
  { name: 'a query without names', query: '=&&==&=%00x&?'.replace('%00', '') },
  { name: 'the router’s own names', query: 'index&_routes=..%2Froot,routes%2Fx,%2A&_data=root' },
  { name: 'pages beyond', query: 'page=1e9&perPage=-5&p=9999999' },
];

const SESSION = 'registry.session_token';
export const COOKIES: readonly Kind[] = [
  { name: 'a second factor that does not decode', cookie: 'registry.two_factor=%E0%A4%A' },
  { name: 'a second factor of NUL', cookie: 'registry.two_factor=%00' },
  { name: 'a second factor of NUL with a signature', cookie: `registry.two_factor=%00.${'a'.repeat(43)}%3D` },
  { name: 'a session that does not decode', cookie: `${SESSION}=%E0%A4%A` },
  { name: 'a session of NUL', cookie: `${SESSION}=%00.${'A'.repeat(43)}=` },
  { name: 'two sessions', cookie: `${SESSION}=a.b; ${SESSION}=c.d` },
  {
    name: 'a message of NUL',
    cookie: 'registry-notice=%00.1; registry-notice=__proto__.1; registry-notice=constructor.1',
  },
  { name: 'a long cookie', cookie: `a=${'b'.repeat(HEADER_MAX)}` },
  { name: 'many cookies', cookie: Array.from({ length: 700 }, (_, index) => `a${index}=%`).join('; ') },
  { name: 'a cookie without a name', cookie: '=; ;;=a=b=; "' },
  { name: 'a cookie that is no text', cookie: 'registry.two_factor=\u00ff\u00fe; registry-notice=\u00e9' },
];

export const HEADERS: readonly Kind[] = [
  {
    name: 'ranges and ETags of no kind',
    headers: { range: 'bytes=9-1,-,x', 'if-none-match': '"', 'if-range': '\u00ff' },
  },
  { name: 'dates that are none', headers: { 'if-modified-since': 'yesterday', 'last-event-id': '-1', date: '0' } },
  { name: 'encodings that there are not', headers: { 'accept-encoding': 'x;q=1e999, br;q=z', te: 'trailers' } },
  { name: 'languages and types of no kind', headers: { 'accept-language': '*;q=\u00ff', accept: '/;/;q=' } },
  {
    name: 'somebody else’s word',
    headers: { authorization: 'Basic \u00ff', 'x-forwarded-for': '%00, x', forwarded: '"' },
  },
  { name: 'a long agent that is no text', headers: { 'user-agent': '\u00ff'.repeat(HEADER_MAX), referer: 'http://%' } },
  { name: 'by a script', headers: { 'sec-fetch-dest': 'empty', referer: '%' } },
  { name: 'another origin', headers: { origin: 'null' } },
  { name: 'another host', headers: { host: 'evil.example' } },
  { name: 'a host that is none', headers: { host: '[::' } },
  { name: 'another protocol', headers: { connection: 'upgrade', upgrade: 'websocket' } },
  { name: 'headers that are too long', headers: { 'x-a': 'a'.repeat(20_000) } },
];

const END = `--${BOUNDARY}--\r\n`;
const part = (head: string, body: string) => `--${BOUNDARY}\r\n${head}\r\n\r\n${body}\r\n`;
const field = (name: string, body: string) => part(`Content-Disposition: form-data; name="${name}"`, body);
const sent = (name: string, type: string | undefined, body: Buffer | string): Kind => ({
  name,
  headers: type === undefined ? {} : { 'content-type': type },
  body,
});

const AWKWARD = {
  NUL: '%00',
  'half a surrogate': '%ED%A0%80',
  'no UTF-8': '%FF%FE',
  nothing: '',
  blanks: '%20%09%C2%A0%E2%80%8B',
  'a large number': '9'.repeat(400),
  'a number out of range': '1e400',
  'a negative number': '-1',
  'no number': 'NaN',
  'a day that there is not': '2026-02-31',
  'a day far away': '999999-12-31',
  'an early day': '0000-00-00',
  'an address of many parts': `${'a.'.repeat(60)}b%40${'c.'.repeat(100)}d`,
  'an id': '00000000-0000-4000-8000-000000000000',
  JSON: '%7B%22a%22%3A%5B%5D%7D',
  'a prototype': '__proto__',
  markup: '%3Cscript%3E%27%22%3B--%20%5C%0D%0A',
  '50,000 letters': 'A'.repeat(50_000),
};

/** Bodies that are right but for one field, which an earlier field's fault would hide. */
export function withOneFault(fields: ReadonlyMap<string, string>): Kind[] {
  const others = (left: string) => [...fields].filter(([name]) => name !== left);
  const encoded = (left: string) => new URLSearchParams(others(left)).toString();
  const parts = (left: string) =>
    others(left)
      .map(([name, value]) => field(name, value))
      .join('');
  return [...fields.keys()].flatMap((name) => [
    sent(`${name} has NUL in it`, FORM, `${encoded(name)}&${encodeURIComponent(name)}=a%00b`),
    sent(`${name} is half a surrogate`, FORM, `${encoded(name)}&${encodeURIComponent(name)}=%ED%A0%80`),
    sent(`${name} is very long`, FORM, `${encoded(name)}&${encodeURIComponent(name)}=${'A'.repeat(50_000)}`),
    sent(`${name} has NUL in it, in parts`, MULTIPART, `${parts(name)}${field(name, 'a\u0000b')}${END}`),
  ]);
}

/** Bodies. `fields`: those that the page's forms have, with what stands in them. */
export function bodies(fields: ReadonlyMap<string, string>): Kind[] {
  const names = [...fields.keys()];
  const encoded = (values: Iterable<readonly [string, string]>) =>
    [...values].map(([name, value]) => `${encodeURIComponent(name)}=${value}`).join('&');
  const asTheyAre = [...fields].map(([name, value]) => [name, encodeURIComponent(value)] as const);
  return [
    ...Object.entries(AWKWARD).map(([name, value]) =>
      sent(`each field is ${name}`, FORM, encoded(names.map((each) => [each, value]))),
    ),
    sent('a name with NUL in it', FORM, `${encoded(asTheyAre)}&%00=1&a%00b=%00`),
    sent(
      'each field fifty times',
      FORM,
      encoded(names.flatMap((name) => Array.from({ length: 50 }, () => [name, 'x'] as const))),
    ),
    sent('an empty form', FORM, ''),
    sent('broken escapes', FORM, 'a=%&b=%E0%A4%A&%=%u0041'),
    sent('no names', FORM, '=&=&==&&'),
    sent('10,000 fields', FORM, 'a=1&'.repeat(10_000)),
    sent('a deep name', FORM, `a${'[b]'.repeat(10_000)}=1`),
    sent('names of the prototype', FORM, '__proto__=1&constructor=2&toString=3&form_key=__proto__&intent=constructor'),
    sent('bytes that are no form', FORM, Buffer.from([0, 255, 254, 61, 0, 38, 0])),
    sent('a form in UTF-16', `${FORM}; charset=utf-16`, Buffer.from('a=1', 'utf16le')),
    sent('a form of 2 MB', FORM, `a=${'A'.repeat(2 * 1024 * 1024)}`),
    sent('text', 'text/plain', 'a=1'),
    sent('no type', undefined, 'a=1'),
    sent('a type that is none', '\u00ff/;;;=', 'a=1'),
    sent('a long type', `text/${'x'.repeat(HEADER_MAX)}`, 'a=1'),
    sent('bytes', 'application/octet-stream', Buffer.from([0, 1, 2, 255])),
    sent('XML', 'application/xml', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'),
    sent('JSON', 'application/json', JSON.stringify(Object.fromEntries(fields))),
    sent('JSON with NUL and half a surrogate', 'application/json', '{"a":"\\u0000","b":"\\ud800"}'),
    sent('JSON that breaks off', 'application/json', '{"a":['),
    sent('deep JSON', 'application/json', '['.repeat(100_000)),
    sent('JSON as a form', FORM, '{"a":1}'),
    {
      ...sent('a form said to be zipped', FORM, gzipSync('a=1')),
      headers: { 'content-type': FORM, 'content-encoding': 'gzip' },
    },
    ...multiparts(fields),
  ];
}

function multiparts(fields: ReadonlyMap<string, string>): Kind[] {
  const end = END;
  const whole = [...fields].map(([name, value]) => field(name, value)).join('');
  const file = (name: string, filename: string, type = 'image/png') =>
    part(`Content-Disposition: form-data; name="${name}"; filename="${filename}"\r\nContent-Type: ${type}`, 'x');
  return [
    sent('a multipart form', MULTIPART, whole + end),
    sent('a multipart form without a boundary', 'multipart/form-data', whole + end),
    sent('a long boundary', `multipart/form-data; boundary=${'b'.repeat(5000)}`, whole + end),
    sent('a boundary of no kind', 'multipart/form-data; boundary="\u00ff', whole + end),
    sent('a multipart form that breaks off', MULTIPART, whole.slice(0, -9)),
    sent(
      'a multipart form that breaks off in a head',
      MULTIPART,
      `${whole}--${BOUNDARY}\r\nContent-Disposition: form-`,
    ),
    sent('an empty multipart form', MULTIPART, ''),
    sent('text as a multipart form', MULTIPART, 'a=1'),
    sent('parts without names', MULTIPART, part('Content-Disposition: form-data', 'x') + part('X: y', 'z') + end),
    sent('names and file names with NUL', MULTIPART, field('a\u0000', 'x') + file('image_file', 'a\u0000.png') + end),
    sent('files where none are', MULTIPART, whole + [...fields.keys()].map((name) => file(name, 'a')).join('') + end),
    sent(
      'a part in no charset',
      MULTIPART,
      part('Content-Disposition: form-data; name="a"\r\nContent-Type: text/plain; charset=x', '\u00ff') + end,
    ),
    sent(
      'a part with a long head',
      MULTIPART,
      part(`Content-Disposition: form-data; name="${'n'.repeat(100_000)}"`, 'x') + end,
    ),
    sent(
      'a form within a form',
      MULTIPART,
      part(
        'Content-Disposition: form-data; name="a"\r\nContent-Type: multipart/mixed; boundary=b',
        '--b\r\n\r\nx\r\n--b--',
      ) + end,
    ),
    sent('1,000 parts', MULTIPART, field('a', 'x').repeat(1000) + end),
    sent('100 files', MULTIPART, file('image_file', 'a.png').repeat(100) + end),
  ];
}
