import { expect, test } from 'vitest';
import { formatBase64, Malformed, utf8 } from './bytes.ts';
import { formatCheckpoint, openCheckpoint, parseCheckpoint } from './checkpoint.ts';
import { generateSigningKey, parseSigningKey, signNote } from './sign-note.server.ts';
import { CouldNotTell, Tampered } from './verification.ts';

// The text of the specification's example.
const TEXT = 'example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n';

test('the example of the specification', () => {
  const checkpoint = parseCheckpoint(TEXT);
  expect(checkpoint).toMatchObject({ origin: 'example.com/behind-the-sofa', size: 20852163, extensions: [] });
  expect(formatCheckpoint(checkpoint)).toBe(TEXT);
  const extended = parseCheckpoint(`${TEXT}one\nand two\n`);
  expect(extended.extensions).toEqual(['one', 'and two']);
  expect(formatCheckpoint(extended)).toBe(`${TEXT}one\nand two\n`);
});

test.each<[string, string]>([
  ['nothing', ''],
  ['no newline at the end', TEXT.slice(0, -1)],
  ['an empty line', `${TEXT}\n`],
  ['an empty line before an extension', `${TEXT}\nx\n`],
  ['no origin', TEXT.replace(/^.*\n/, '\n')],
  ['a leading zero', TEXT.replace('20852163', '020852163')],
  ['a sign', TEXT.replace('20852163', '+20852163')],
  ['no size', TEXT.replace('20852163', '')],
  ['a size beyond 2^53', TEXT.replace('20852163', '18446744073709551615')],
  ['a short root', TEXT.replace(/Cs.*=/, formatBase64(new Uint8Array(31)))],
  ['no root', 'example.com\n1\n'],
  ['another base64', TEXT.replace('q2I=', 'q2J=')],
])('%s: no checkpoint', (_name, text) => {
  expect(() => parseCheckpoint(text)).toThrow(Malformed);
});

test('none is written that could not be read', () => {
  const checkpoint = parseCheckpoint(TEXT);
  for (const change of [
    { origin: 'a\nb' },
    { size: -1 },
    { size: 1.5 },
    { root: new Uint8Array(3) },
    { extensions: [''] },
  ])
    expect(() => formatCheckpoint({ ...checkpoint, ...change })).toThrow(Malformed);
});

test('is opened by its signature only, and by the key of its own log', async () => {
  const key = await parseSigningKey(await generateSigningKey('example.com/behind-the-sofa'));
  const other = await parseSigningKey(await generateSigningKey('example.com/behind-the-sofa'));
  const stranger = await parseSigningKey(await generateSigningKey('example.com/another'));
  const note = signNote(key, TEXT);
  expect((await openCheckpoint(utf8(note), key.verifier)).size).toBe(20852163);
  await expect(openCheckpoint(utf8(note), other.verifier)).rejects.toThrow(CouldNotTell);
  await expect(openCheckpoint(utf8(note.replace('2085', '2086')), key.verifier)).rejects.toThrow(Tampered);
  await expect(openCheckpoint(utf8(signNote(stranger, TEXT)), stranger.verifier)).rejects.toThrow('another log');
  await expect(openCheckpoint(utf8(signNote(key, `${TEXT}\n`)), key.verifier)).rejects.toThrow(Malformed);
});
