import { expect, test } from 'vitest';
import {
  concatBytes,
  equalBytes,
  formatBase64,
  Malformed,
  parseBase64,
  parseDecimal,
  parseUtf8,
  utf8,
} from './bytes.ts';

test('base64 has one text for one value (RFC 4648, sections 3.5 and 10)', () => {
  for (const [plain, text] of [
    ['', ''],
    ['f', 'Zg=='],
    ['fo', 'Zm8='],
    ['foo', 'Zm9v'],
    ['foobar', 'Zm9vYmFy'],
  ] as const) {
    expect(formatBase64(utf8(plain))).toBe(text);
    expect(parseUtf8(parseBase64(text))).toBe(plain);
  }
  for (const text of ['Zg', 'Zg=', 'Zh==', 'Zm9=', 'Zm9v\n', ' Zm9v', 'Zm-v', 'Zg==Zg==', '=', 'Zm9v===='])
    expect(() => parseBase64(text), text).toThrow(Malformed);
});

test('text is UTF-8 without repair', () => {
  expect(parseUtf8(utf8('\ufeffPéché €'))).toBe('\ufeffPéché €');
  for (const bytes of [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xe2, 0x82]])
    expect(() => parseUtf8(Uint8Array.from(bytes))).toThrow(Malformed);
});

test('decimals have no leading zero, sign or fraction', () => {
  expect(['0', '7', '9007199254740991'].map(parseDecimal)).toEqual([0, 7, 9007199254740991]);
  for (const text of [
    '',
    '00',
    '07',
    '-1',
    '+1',
    '1.0',
    '1e3',
    ' 1',
    '1\n',
    '9007199254740992',
    '18446744073709551615',
  ])
    expect(() => parseDecimal(text), text).toThrow(Malformed);
});

test('bytes are joined and compared', () => {
  expect(concatBytes(utf8('a'), utf8(''), utf8('bc'))).toEqual(utf8('abc'));
  expect(equalBytes(utf8('abc'), utf8('abc'))).toBe(true);
  expect(equalBytes(utf8('abc'), utf8('abd'))).toBe(false);
  expect(equalBytes(utf8('ab'), utf8('abc'))).toBe(false);
});
