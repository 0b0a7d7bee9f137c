// Reads a multipart form as a stream: text fields, and files that are stored one after the other. Bytes beyond the
// limits are discarded, not held in memory.
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import busboy from 'busboy';
import { BROKE_OFF, FIELDS_MAX, FormFields, MalformedForm, tooManyFields } from '#app/platform/http/form.server.ts';
import { displayName } from './display-name.ts';
import { CERTIFICATE_MAX_BYTES, IMAGE_MAX_BYTES, type UploadRole } from './store-upload.server.ts';

const FIELD_MAX_BYTES = 64 * 1024;
const FILES_MAX = 25;

export type ReceivedFile = { field: string; name: string; bytes: Uint8Array };
/** What was received of a form. */
export class ReceivedForm extends FormFields {
  /** A sentence for each file field whose file was not taken. */
  readonly refused = new Map<string, string>();
  /** The files of a form that stores none. */
  readonly files: ReceivedFile[] = [];
}

type Reading = {
  /** What a file field is for; undefined: it is skipped. */
  roleOf: (field: string) => UploadRole | undefined;
  /** Receives each file when it is complete, and may refuse it with a sentence. */
  take: (file: ReceivedFile, form: ReceivedForm) => Promise<string | undefined>;
  fieldMaxBytes?: number;
};

/**
 * Reads the body. Throws MalformedForm when the body is no multipart form, breaks off or has too many fields, and
 * throws what `take` throws. When it throws, no file is still being stored.
 */
export async function readMultipart(request: Request, { roleOf, take, ...limits }: Reading): Promise<ReceivedForm> {
  const form = new ReceivedForm();
  if (request.body === null) throw new MalformedForm(BROKE_OFF);
  const parser = start(request, limits);
  const reader = request.body.getReader();
  // Backpressure: a file is read from the network only after the file before it is stored.
  let taking = Promise.resolve();
  let lastFileField = '';
  let failed: { error: unknown } | undefined;
  const refuse = (field: string, reason: string) =>
    form.refused.set(field, [form.refused.get(field), reason].filter((each) => each !== undefined).join(' '));
  // busboy gives undefined for a part without a name, and for text in an unknown charset.
  parser.on('field', (name: string | undefined, value: string | undefined, { valueTruncated }) => {
    if (name === undefined) return;
    if (value === undefined) return void refuse(name, 'This cannot be read as text.');
    if (valueTruncated) form.refused.set(name, 'This is too long.');
    try {
      form.add(name, value);
    } catch (error) {
      failed ??= { error };
    }
  });
  parser.on('file', (field: string | undefined, stream, { filename }) => {
    // When a form breaks off, both this stream and the parser emit an error. Without a listener here the process ends.
    stream.on('error', () => {});
    const role = field === undefined ? undefined : roleOf(field);
    if (field === undefined || role === undefined) return void stream.resume();
    lastFileField = field;
    const before = taking;
    taking = (async () => {
      await before;
      if (failed !== undefined) return void stream.resume();
      try {
        const bytes = await receive(stream, role);
        // The browser sends a file field without a file as an empty file without a name.
        if (bytes.length === 0 && !filename) return;
        const reason = typeof bytes === 'string' ? bytes : await take({ field, name: filename ?? '', bytes }, form);
        if (reason !== undefined) refuse(field, `${displayName(filename ?? '')}: ${reason}`);
      } catch (error) {
        failed ??= { error };
        stream.resume();
      }
    })();
  });
  parser.once('filesLimit', () => refuse(lastFileField, `At most ${FILES_MAX} files at once.`));
  // Parts without a name are no fields and no files, but cost as much.
  for (const limit of ['fieldsLimit', 'partsLimit'] as const)
    parser.once(limit, () => parser.emit('error', tooManyFields()));
  // `on`, not `once`: an error without a listener ends the process. It is recorded at once, because a file that follows
  // in the same chunk never ends.
  parser.on('error', (error) => (failed ??= { error }));
  // Also ends a read that waits for a sender who stopped sending.
  parser.once('close', () => void reader.cancel().catch(() => {}));
  try {
    await pipeline(Readable.from(chunksOf(reader)), parser, { signal: request.signal });
  } catch (error) {
    failed ??= { error };
    await taking;
    throw failed.error instanceof MalformedForm ? failed.error : new MalformedForm(BROKE_OFF);
  }
  await taking;
  if (failed !== undefined) throw failed.error;
  return form;
}

function start(request: Request, { fieldMaxBytes = FIELD_MAX_BYTES }: Pick<Reading, 'fieldMaxBytes'>) {
  const type = request.headers.get('content-type') ?? '';
  // busboy also reads URL-encoded forms, with limits other than ours.
  if (!/^multipart\/form-data\b/i.test(type))
    throw new MalformedForm('This is not sent as a form with files. Use the form on the page.', 415);
  try {
    return busboy({
      headers: { 'content-type': type },
      defParamCharset: 'utf8',
      limits: {
        fields: FIELDS_MAX,
        parts: FIELDS_MAX + 10 * FILES_MAX,
        fieldSize: fieldMaxBytes,
        files: FILES_MAX,
        fileSize: Math.max(IMAGE_MAX_BYTES, CERTIFICATE_MAX_BYTES) + 1,
      },
    });
  } catch {
    throw new MalformedForm(BROKE_OFF);
  }
}

async function* chunksOf(reader: ReadableStreamDefaultReader<Uint8Array>): AsyncGenerator<Uint8Array> {
  for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
}

// The bytes, or why the file is refused. A file that is too large is read to its end, and its bytes are discarded. One
// buffer of the maximum size holds the file: the system allocates only the pages that are written. A list of chunks
// would cost 200 bytes for each byte that a sender sends in a chunk of its own.
async function receive(stream: Readable, role: UploadRole): Promise<Uint8Array | string> {
  const limit = role === 'image' ? IMAGE_MAX_BYTES : CERTIFICATE_MAX_BYTES;
  let room: Buffer | undefined = Buffer.allocUnsafeSlow(limit);
  let size = 0;
  for await (const chunk of stream) {
    const part: Uint8Array = chunk;
    if (size + part.length > limit) room = undefined;
    room?.set(part, size);
    size += part.length;
  }
  return room === undefined ? `The file is larger than ${limit / 1024 / 1024} MB.` : room.subarray(0, size);
}
