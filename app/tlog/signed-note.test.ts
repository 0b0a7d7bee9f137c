import { expect, test } from 'vitest';
import { formatBase64, Malformed, utf8 } from './bytes.ts';
import { generateSigningKey, parseSigningKey, signNote } from './sign-note.server.ts';
import { formatNote, formatVerifierKey, parseNote, parseVerifierKey, verifierKey, verifyNote } from './signed-note.ts';

// The key and the note of the examples of golang.org/x/mod/sumdb/note.
const GO_VERIFIER = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
const GO_SIGNER = 'PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz';
const GO_TEXT = `If you think cryptography is the answer to your problem,
then you don't know what your problem is.
`;
const GO_NOTE = `${GO_TEXT}
— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=
`;

test('reads and writes what Go signs', async () => {
  const key = await parseVerifierKey(GO_VERIFIER);
  const note = parseNote(utf8(GO_NOTE));
  expect(note.text).toBe(GO_TEXT);
  expect(await verifyNote(note, key)).toBe('signed');
  expect(formatNote(note)).toBe(GO_NOTE);
  expect(formatVerifierKey(key)).toBe(GO_VERIFIER);
  const signer = await parseSigningKey(`${GO_SIGNER}\n`);
  expect(formatVerifierKey(signer.verifier)).toBe(GO_VERIFIER);
  expect(signNote(signer, GO_TEXT)).toBe(GO_NOTE);
});

test('the example of the specification has the form, with an empty line in the text', () => {
  const text = 'Ognuno sta solo sul cuor della terra\ntrafitto da un raggio di sole:\n\ned è subito sera.\n';
  const signature =
    '— quasimodo.example/salvatore NnugSzTjtVAewIS+Z/iJhUPeFDkO/5QQ2i5ddnGITLlC+EhfLW9oJKONrMouFSQU0xMcXxj99ihAQwaqP3ZekRwNtIc=\n';
  const note = parseNote(utf8(`${text}\n${signature}`));
  expect(note.text).toBe(text);
  expect(note.signatures.map(({ name }) => name)).toEqual(['quasimodo.example/salvatore']);
});

test('signatures of other keys are ignored; none of the known key is not enough, and one wrong one is too many', async () => {
  const key = await parseSigningKey(await generateSigningKey('log.example'));
  const witness = await parseSigningKey(await generateSigningKey('witness.example'));
  const namesake = await parseSigningKey(await generateSigningKey('log.example'));
  const text = 'log.example\n1\n';
  const [own, other, same] = [key, witness, namesake].map((by) => parseNote(utf8(signNote(by, text))).signatures[0]!);
  const verified = (...signatures: (typeof own)[]) =>
    verifyNote(
      parseNote(utf8(formatNote({ text, signatures: signatures.flatMap((one) => (one === undefined ? [] : [one])) }))),
      key.verifier,
    );
  expect(await verified(own)).toBe('signed');
  expect(await verified(other, same, own)).toBe('signed');
  expect(await verified(own, own)).toBe('signed');
  expect(await verified(other, same)).toBe('unsigned');
  const wrong = { ...own!, signature: other!.signature };
  expect(await verified(wrong)).toBe('wrong');
  expect(await verified(own, wrong)).toBe('wrong');
  expect(await verified({ ...own!, signature: own!.signature.slice(1) })).toBe('wrong');
});

test('as many signatures as the specification asks for are read, an endless list is not', async () => {
  const line = GO_NOTE.slice(GO_TEXT.length + 1);
  expect(parseNote(utf8(`${GO_TEXT}\n${line.repeat(16)}`)).signatures).toHaveLength(16);
  expect(() => parseNote(utf8(`${GO_TEXT}\n${line.repeat(101)}`))).toThrow('too many');
});

const line = GO_NOTE.slice(GO_TEXT.length + 1);
test.each<[string, string]>([
  ['nothing', ''],
  ['no signature', GO_TEXT],
  ['an empty list of signatures', `${GO_TEXT}\n`],
  ['no newline at the end', GO_NOTE.slice(0, -1)],
  ['something behind', `${GO_NOTE}x`],
  ['a newline behind', `${GO_NOTE}\n`],
  ['a carriage return', GO_NOTE.replaceAll('\n', '\r\n')],
  ['a control character in the text', GO_NOTE.replace('answer', 'an\u0007swer')],
  ['a hyphen for the dash', GO_NOTE.replace('—', '-')],
  ['two spaces', GO_NOTE.replace('— ', '—  ')],
  ['a no-break space in the name', GO_NOTE.replace('— PeterNeumann', '— Peter\u00a0Neumann')],
  ['a plus in the name', GO_NOTE.replace('— PeterNeumann', '— Peter+Neumann')],
  ['no name', GO_NOTE.replace('— PeterNeumann', '— ')],
  ['a fourth word', GO_NOTE.replace(/=\n$/, '= x\n')],
  ['no base64', GO_NOTE.replace(/=\n$/, '\n')],
  ['stray bits in the base64', GO_NOTE.replace('AM=\n', 'AN=\n')],
  ['a signature of no bytes', GO_NOTE.replace(/x08.*\n$/, 'x08gow==\n')],
])('%s: no note', (_name, text) => {
  expect(() => parseNote(utf8(text))).toThrow(Malformed);
});

test('what is above the last empty line is text, signatures too', async () => {
  const note = parseNote(utf8(`${GO_NOTE}\n${line}`));
  expect(note).toMatchObject({ text: GO_NOTE, signatures: [{ name: 'PeterNeumann' }] });
  expect(await verifyNote(note, await parseVerifierKey(GO_VERIFIER))).toBe('wrong');
});

test('bytes that are no UTF-8 are no note', () => {
  expect(() => parseNote(Buffer.concat([Buffer.from([0xff]), Buffer.from(GO_NOTE)]))).toThrow(Malformed);
});

test.each<[string, string]>([
  ['nothing', ''],
  ['another hash', GO_VERIFIER.replace('c74f20a3', 'c74f20a4')],
  ['a hash in capitals', GO_VERIFIER.replace('c74f20a3', 'C74F20A3')],
  ['another name', GO_VERIFIER.replace('PeterNeumann', 'PeterNeuman')],
  ['a space in the name', GO_VERIFIER.replace('PeterNeumann', 'Peter Neumann')],
  ['another algorithm', GO_VERIFIER.replace('+ARpc', '+BBpc')],
  ['something behind', `${GO_VERIFIER}\n`],
  ['a short key', 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10Q='],
  ['a private key', GO_SIGNER],
])('%s: no verifier key', async (_name, text) => {
  await expect(parseVerifierKey(text)).rejects.toThrow(Malformed);
});

test.each<[string, string]>([
  ['nothing', ''],
  ['a verifier key', GO_VERIFIER],
  ['another hash', GO_SIGNER.replace('c74f20a3', 'c74f20a4')],
  ['two newlines', `${GO_SIGNER}\n\n`],
])('%s: no signing key, and the error does not repeat it', async (_name, text) => {
  await expect(parseSigningKey(text)).rejects.toThrow(/^(it is|the signing)[^+]*$/);
});

test('a name with a space or a plus makes no key, a text without a newline no note', async () => {
  for (const name of ['', 'a b', 'a+b', 'a\u2003b', 'a\nb']) {
    await expect(verifierKey(name, new Uint8Array(32))).rejects.toThrow(Malformed);
    await expect(generateSigningKey(name)).rejects.toThrow(Malformed);
  }
  const key = await parseSigningKey(GO_SIGNER);
  expect(() => signNote(key, 'text')).toThrow('newline');
  expect(formatBase64(key.verifier.keyId)).toBe('x08gow==');
});
