import { afterEach, beforeEach, expect, test } from 'vitest';
import { cut, END, formRequest, MULTIPART, multipartBody, partHead, type Part } from '#test/multipart-body.ts';
import { STEP } from '#test/sample.ts';
import { MalformedForm } from '#app/platform/http/form.server.ts';
import { readMultipart, type ReceivedFile } from './read-multipart.server.ts';
import { CERTIFICATE_MAX_BYTES, IMAGE_MAX_BYTES } from './store-upload.server.ts';

// An error without a listener ends the process. Each test must leave none.
let unheard: unknown[];
const hear = (error: unknown) => void unheard.push(error);
beforeEach(() => {
  unheard = [];
  process.on('unhandledRejection', hear).on('uncaughtException', hear);
});
afterEach(async () => {
  await new Promise((resolve) => setTimeout(resolve, 5));
  process.off('unhandledRejection', hear).off('uncaughtException', hear);
  expect(unheard).toEqual([]);
});

const ROLES = new Map([
  ['image_file', 'image'],
  ['pdf_file', 'certificate'],
] as const);
const roleOf = (field: string) => [...ROLES].find(([name]) => field.startsWith(name))?.[1];
async function read(request: Request, take?: (file: ReceivedFile) => Promise<string | undefined>) {
  const files: ReceivedFile[] = [];
  const form = await readMultipart(request, {
    roleOf,
    async take(file) {
      files.push(file);
      return take?.(file);
    },
  });
  return { form, files };
}
const malformed = (request: Request) => expect(read(request)).rejects.toBeInstanceOf(MalformedForm);
const file = (bytes: Uint8Array | string = 'bytes', name = 'image_file'): Part => ({ name, filename: 'a.png', bytes });
const whole = multipartBody([{ name: 'rego', bytes: 'ABC123' }, file('x'.repeat(500)), file('y'.repeat(500))]);

test('fields and files are read, however the network cuts them', async () => {
  for (const size of [1, 2, 3, 7, 64, 1000]) {
    const { form, files } = await read(formRequest(cut(whole, size)));
    expect(form.fields).toEqual(new Map([['rego', 'ABC123']]));
    expect(files.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual(['x'.repeat(500), 'y'.repeat(500)]);
  }
});

test.each([
  ['no content type', ''],
  ['plain text', 'text/plain'],
  ['JSON', 'application/json'],
  ['a form that carries no files', 'application/x-www-form-urlencoded'],
  ['another multipart', 'multipart/mixed; boundary=form-of-a-test'],
  ['no boundary', 'multipart/form-data'],
  ['an empty boundary', 'multipart/form-data; boundary='],
  ['an empty quoted boundary', 'multipart/form-data; boundary=""'],
  ['an open quote', 'multipart/form-data; boundary="form-of-a-test'],
  ['another boundary', 'multipart/form-data; boundary=form-of-another'],
  ['a boundary of 5,000 characters', `multipart/form-data; boundary=${'b'.repeat(5000)}`],
  ['a type of commas', ',,,'],
  ['a boundary that is a prototype', 'multipart/form-data; __proto__=form-of-a-test'],
])('%s is no form', (_name, contentType) => malformed(formRequest(whole, { contentType })));

test('NUL in a field, or in its name, makes it no form', async () => {
  await malformed(formRequest(multipartBody([{ name: 'notes', bytes: 'a\0b' }, file()])));
  await malformed(formRequest(multipartBody([{ name: 'no\0tes', bytes: 'ab' }])));
});

test('no body and an empty body are no forms', async () => {
  await malformed(formRequest(null));
  await malformed(formRequest(Buffer.alloc(0)));
  await malformed(formRequest(Buffer.from('\r\n')));
});

test('a form that breaks off at any byte is malformed, also when it is read in one piece', async () => {
  for (let length = 0; length < whole.length - 2; length += STEP) {
    const body = whole.subarray(0, length);
    await malformed(formRequest((length / STEP) % 2 === 0 ? [body] : cut(body, 100)));
  }
});

test.each<[string, Buffer]>([
  ['in a file that nobody asked for', Buffer.concat([partHead(file('', 'other')), Buffer.from('half')])],
  ['in the header of the second file', Buffer.concat([whole.subarray(0, -400), Buffer.from('\r\nContent-Dispo')])],
  ['without the end', multipartBody([file()]).subarray(0, -END.length)],
])('a form that breaks off %s is malformed', (_name, body) => malformed(formRequest(body)));

test('a form that breaks off in its second file, while the first is being stored, is malformed', async () => {
  const body = Buffer.concat([multipartBody([file()]).subarray(0, -END.length), partHead(file()), Buffer.from('half')]);
  let stored = 0;
  const slow = async () => {
    await new Promise((resolve) => setTimeout(resolve, 30));
    stored += 1;
    return undefined;
  };
  await expect(read(formRequest([body]), slow)).rejects.toBeInstanceOf(MalformedForm);
  // The answer comes when no file is still being stored.
  expect(stored).toBe(1);
});

test.each<[string, string]>([
  ['a line that is no header', 'no header at all\r\n\r\n'],
  ['a header of 100 kB', `Content-Disposition: form-data; name="${'n'.repeat(100_000)}"\r\n\r\n`],
  ['5,000 headers', `${'X-A: b\r\n'.repeat(5000)}\r\n`],
  ['a line feed alone', 'Content-Disposition: form-data; name="a"\n\n'],
  ['a NUL in a header', 'Content-Disposition: form-data; name="a\u0000b"\r\n\r\n'],
])('%s is malformed, once or a hundred times', async (_name, head) => {
  for (const times of [1, 100]) {
    const part = Buffer.from(`--form-of-a-test\r\n${head}value\r\n`);
    await malformed(formRequest([Buffer.concat([...Array.from({ length: times }, () => part), END])]));
  }
});

test.each<[string, string]>([
  ['no name', 'form-data'],
  ['an empty name', 'form-data; name=""'],
  ['a file without a name for its field', 'form-data; filename="a.png"'],
  ['a file with an empty name for its field', 'form-data; name=""; filename="a.png"'],
  ['another disposition', 'attachment; name="image_file"; filename="a.png"'],
  ['an open quote', 'form-data; name="image_file; filename=a.png'],
  ['a bad escape', "form-data; name=image_file; filename*=utf-8''%zz"],
  ['an unknown charset', "form-data; name*=no-such'en'%ff%fe"],
])('a part with %s is read past', async (_name, disposition) => {
  const { form, files } = await read(
    formRequest(
      multipartBody([
        { disposition, bytes: 'x' },
        { name: 'rego', bytes: 'ABC123' },
      ]),
    ),
  );
  expect([form.fields, form.refused, files]).toEqual([new Map([['rego', 'ABC123']]), new Map(), []]);
});

test('text that no charset makes readable is refused at its field', async () => {
  const part = { name: 'notes', type: 'text/plain; charset=no-such', bytes: Buffer.from([0xff, 0xfe]) };
  const { form } = await read(formRequest(multipartBody([part])));
  expect(form.fields).toEqual(new Map());
  expect(form.refused.get('notes')).toBe('This cannot be read as text.');
});

test('10,000 fields are no form, and are not read to the end', async () => {
  let sent = 0;
  function* pieces() {
    for (; sent < 10_000; sent += 1) yield Buffer.concat([partHead({ name: 'f' }), Buffer.from('v\r\n')]);
    yield END;
  }
  await malformed(formRequest(pieces()));
  expect(sent).toBeLessThan(1010);
});

test('what comes with the fault in one piece, and breaks off, is not waited for', async () => {
  const many = Array.from({ length: 1010 }, () => Buffer.concat([partHead({ name: 'f' }), Buffer.from('v\r\n')]));
  const bad = Buffer.from('--form-of-a-test\r\nno header\r\n\r\n\r\n');
  const half = [partHead(file()), Buffer.from('half a file')];
  for (const start of [many, [bad]])
    for (const body of [
      Buffer.concat([...start, ...half]),
      Buffer.concat([...half, Buffer.from('\r\n'), ...start, ...half]),
    ])
      await malformed(formRequest([body]));
});

test('100 fields and 21 files with long names fit', async () => {
  const parts = [
    ...Array.from({ length: 100 }, (_, index) => ({ name: `field_${index}`, bytes: 'v' })),
    ...Array.from({ length: 21 }, () => ({ ...file(), filename: `${'n'.repeat(200)}.png` })),
  ];
  const { form, files } = await read(formRequest(multipartBody(parts)));
  expect([form.fields.size, files.length, form.refused.size]).toEqual([100, 21, 0]);
});

test('a field of 1 MB is refused at its field and kept short; the rest is read', async () => {
  const parts = [
    { name: 'notes', bytes: 'x'.repeat(1024 * 1024) },
    { name: 'rego', bytes: 'ABC123' },
  ];
  const { form } = await read(formRequest(multipartBody(parts)));
  expect(form.refused).toEqual(new Map([['notes', 'This is too long.']]));
  expect(form.fields.get('notes')?.length).toBeLessThanOrEqual(64 * 1024);
  expect(form.fields.get('rego')).toBe('ABC123');
});

test('of one name the last value counts, and every value is there', async () => {
  const values = ['a', 'b', '', 'c'];
  const { form } = await read(formRequest(multipartBody(values.map((bytes) => ({ name: 'x', bytes })))));
  expect([form.fields.get('x'), form.all.get('x')]).toEqual(['c', values]);
});

test('a file where text is expected, and text where a file is, are neither taken nor mistaken', async () => {
  const { form, files } = await read(
    formRequest(
      multipartBody([
        { name: 'rego', filename: 'rego.txt', bytes: 'ABC123' },
        { name: 'image_file', bytes: 'text' },
      ]),
    ),
  );
  expect(files).toEqual([]);
  expect(form.fields).toEqual(new Map([['image_file', 'text']]));
});

test.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '__proto__[polluted]'])(
  'a field and a file named %s are names like any other',
  async (name) => {
    const { form, files } = await read(formRequest(multipartBody([{ name, bytes: 'polluted' }, file('x', name)])));
    expect(form.fields).toEqual(new Map([[name, 'polluted']]));
    expect(files).toEqual([]);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain('polluted');
  },
);

test('a file field left empty is no file; bytes without a file name are one', async () => {
  const empty = await read(formRequest(multipartBody([{ ...file(''), filename: '' }])));
  expect([empty.files, empty.form.refused]).toEqual([[], new Map()]);
  const unnamed = await read(formRequest(multipartBody([{ ...file('x'), filename: '' }])));
  expect(unnamed.files.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual(['x']);
});

test('a file is taken up to its limit and refused one byte beyond; the next is taken', async () => {
  for (const [field, limit, sentence] of [
    ['image_file', IMAGE_MAX_BYTES, 'a.png: The file is larger than 15 MB.'],
    ['pdf_file', CERTIFICATE_MAX_BYTES, 'a.png: The file is larger than 20 MB.'],
  ] as const) {
    const { form, files } = await read(
      formRequest(multipartBody([file(Buffer.alloc(limit + 1), field), file(Buffer.alloc(limit), field)])),
    );
    expect(form.refused).toEqual(new Map([[field, sentence]]));
    expect(files.map(({ bytes }) => bytes.length)).toEqual([limit]);
  }
});

test('of 30 files 25 are taken, and the field says so', async () => {
  const { form, files } = await read(formRequest(multipartBody(Array.from({ length: 30 }, () => file()))));
  expect(files.length).toBe(25);
  expect(form.refused.get('image_file')).toBe('At most 25 files at once.');
});

test('every refused file of a field is told, under a name that hides nothing', async () => {
  const parts = ['one\u202Egnp.exe', 'two.png'].map((filename) => ({ ...file(), filename }));
  const { form } = await read(formRequest(multipartBody(parts)), async () => 'No.');
  expect(form.refused.get('image_file')).toBe('onegnp.exe: No. two.png: No.');
});

test('when one file cannot be stored, no further one is', async () => {
  let tried = 0;
  const fails = async () => {
    tried += 1;
    throw new Error('disk full');
  };
  await expect(read(formRequest(multipartBody([file(), file(), file()])), fails)).rejects.toThrow('disk full');
  expect(tried).toBe(1);
});

test('an aborted request stops reading, also one that has fallen silent', async () => {
  for (const isSilent of [false, true]) {
    const abort = new AbortController();
    let [sent, cancelled] = [0, false];
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(partHead(file())),
      pull(controller) {
        if ((sent += 1) === 20) abort.abort();
        if (isSilent && sent >= 20) return new Promise(() => {});
        controller.enqueue(Buffer.alloc(1000));
        return new Promise((resolve) => setTimeout(resolve, 1));
      },
      cancel: () => void (cancelled = true),
    });
    // The sender stops sending. The body is not notified of the abort, as when a limit passes the body on.
    const request = formRequest(body);
    Object.defineProperty(request, 'signal', { value: abort.signal });
    await malformed(request);
    expect(cancelled).toBe(true);
    expect(sent).toBeLessThan(60);
  }
});

test('a malformed form is answered though its sender falls silent', async () => {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(Buffer.from('--form-of-a-test\r\nno header\r\n\r\n')),
  });
  await malformed(formRequest(body));
});

test('a body that fails on its way is malformed', async () => {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(partHead(file())),
    pull: (controller) => controller.error(new Error('ECONNRESET')),
  });
  await malformed(formRequest(body, { contentType: MULTIPART }));
});
