// Names under which a file may come in, as they stand in the header of its part, and what is shown of them.

/** `shown`: undefined when such a form is malformed, or its file is none. */
export type HostileName = { what: string; filename: string; shown: string | undefined };

const plain = (what: string, name: string, shown: string | undefined): HostileName => ({
  what,
  filename: `filename="${name}"`,
  shown,
});
const encoded = (what: string, name: string, shown: string | undefined): HostileName => ({
  what,
  filename: `filename*=${name}`,
  shown,
});
const long = 'n'.repeat(10_000);

export const hostileNames: HostileName[] = [
  plain('a path upwards', '../../etc/passwd', 'passwd'),
  plain('a path upwards with backslashes', '..\\\\..\\\\windows\\\\win.ini', 'win.ini'),
  encoded('an encoded path upwards', "utf-8''..%2F..%2Fetc%2Fpasswd", 'passwd'),
  encoded('an encoded path upwards with backslashes', "utf-8''..%5C..%5Cwindows%5Cwin.ini", 'win.ini'),
  plain('a path encoded in the name itself', '..%2F..%2Fetc%2Fpasswd.png', '..%2F..%2Fetc%2Fpasswd.png'),
  encoded('a path encoded twice', "utf-8''%252e%252e%252fpasswd", '%2e%2e%2fpasswd'),
  plain('a path from the root', '/etc/passwd', 'passwd'),
  plain('a path on a drive', 'C:\\\\Users\\\\a.png', 'a.png'),
  plain('a path on another machine', '//host/share/a.png', 'a.png'),
  plain('a storage key', 'certificates/ABC123/0.pdf', '0.pdf'),
  plain('a NUL', 'a\u0000.png', undefined),
  encoded('an encoded NUL', "utf-8''a%00.png", 'a.png'),
  plain('text that runs to the left', 'invoice\u202Egnp.exe', 'invoicegnp.exe'),
  plain('text that is set apart', '\u2066a\u2069\u200F.png\u061C', 'a.png'),
  plain('zero width', 'a\u200B\u200C\u200D\u2060b\uFEFF.png', 'ab.png'),
  plain('letters that show nothing', '\u3164\u115F\u2800', 'unnamed'),
  plain('10,000 characters', `${long}.png`, 'n'.repeat(200)),
  plain('10,000 pictures', `${'🚚'.repeat(10_000)}.png`, undefined),
  plain('a picture at the limit', `${'n'.repeat(199)}🚚.png`, `${'n'.repeat(199)}🚚`),
  encoded('half an encoded character', "utf-16le''%3d%d8", 'unnamed'),
  encoded('bytes that are no text', "utf-8''%ff%fe.png", '\uFFFD\uFFFD.png'),
  encoded('another charset', "iso-8859-1''caf%e9.png", 'café.png'),
  plain('letters and their accents apart', 'cafe\u0301.png', 'café.png'),
  plain('the name of a device', 'CON.png', 'CON.png'),
  plain('the name of a stream', 'a.png::$DATA', 'a.png::$DATA'),
  plain('nothing', '', 'unnamed'),
  plain('a blank', ' ', 'unnamed'),
  plain('a dot', '.', 'unnamed'),
  plain('two dots', '..', 'unnamed'),
  plain('many dots', '......', 'unnamed'),
  plain('folders only', '../../', 'unnamed'),
  plain('a quote', 'a\\".png', 'a".png'),
  plain('a quote as browsers write it', 'a%22.png', 'a%22.png'),
  plain('a second disposition', 'a.png"; name="x', 'a.png'),
  plain('a line break', 'a\r\nX-Header: b.png', undefined),
  plain('a folded line', 'a\r\n b.png', 'a b.png'),
  encoded('an encoded line break', "utf-8''a%0D%0ASet-Cookie%3A%20b%3Dc.png", 'aSet-Cookie: b=c.png'),
  plain('line and paragraph separators', 'a\u2028b\u2029c.png', 'abc.png'),
  encoded('terminal escapes', "utf-8''%1B%5B2J%07a.png", '[2Ja.png'),
  plain('HTML', '<img src=x onerror=alert(1)>.png', '<img src=x onerror=alert(1)>.png'),
  plain('HTML with an end tag', '<b>a</b>.png', 'b>.png'),
  plain('SQL', "'); drop table stored_file; --.png", "'); drop table stored_file; --.png"),
  plain('a formula', '=cmd|!A1.png', '=cmd|!A1.png'),
  plain('a template', '${7*7}{{7*7}}%s%n.png', '${7*7}{{7*7}}%s%n.png'),
  plain('pictures', '🚚⚖️👨‍👩‍👧.png', '🚚⚖👨👩👧.png'),
  plain('a prototype', '__proto__', '__proto__'),
];
