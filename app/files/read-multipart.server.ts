// A multipart form, read as it comes in: text fields, and files that are staged one after the other. Nothing beyond the
// limits is kept in memory.
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import busboy from 'busboy';
import { CERTIFICATE_MAX_BYTES, IMAGE_MAX_BYTES, type UploadRole } from './store-upload.server.ts';

const FIELDS_MAX = 200;
const FIELD_MAX_BYTES = 64 * 1024;
const FILES_MAX = 25;

export type ReceivedFile = { field: string; name: string; bytes: Uint8Array };
export type ReceivedForm = {
  /** The last value under each name. */
  fields: Map<string, string>;
  /** Every value of each name. */
  all: Map<string, string[]>;
  /** A sentence for each file field whose file was not taken. */
  refused: Map<string, string>;
};

export class MalformedForm extends Error {}

/**
 * Reads the body. `roleOf` says what a file field is for (undefined: it is skipped); `take` gets each file when it is
 * whole and may refuse it with a sentence. Throws MalformedForm for a body that is none or breaks off.
 */
export async function readMultipart(
  request: Request,
  roleOf: (field: string) => UploadRole | undefined,
  take: (file: ReceivedFile) => Promise<string | undefined>,
): Promise<ReceivedForm> {
  const form: ReceivedForm = { fields: new Map(), all: new Map(), refused: new Map() };
  if (request.body === null) throw new MalformedForm('the form is empty');
  const body = request.body;
  const parser = start(request);
  // One file after the other: the next is not read from the network before the last is stored.
  let taking = Promise.resolve();
  let failed: unknown;
  parser.on('field', (name, value, { valueTruncated }) => {
    if (valueTruncated) form.refused.set(name, 'This is too long.');
    form.fields.set(name, value);
    form.all.set(name, [...(form.all.get(name) ?? []), value]);
  });
  parser.on('file', (field, stream, { filename }) => {
    const role = roleOf(field);
    // A file field without a file arrives as an empty one without a name.
    if (role === undefined || filename === undefined || filename === '') return void stream.resume();
    const before = taking;
    taking = (async () => {
      await before;
      try {
        const bytes = await receive(stream, role);
        const reason = typeof bytes === 'string' ? bytes : await take({ field, name: filename, bytes });
        if (reason !== undefined) form.refused.set(field, `${filename}: ${reason}`);
      } catch (error) {
        failed ??= error;
        stream.resume();
      }
    })();
  });
  try {
    await pipeline(Readable.from(chunksOf(body)), parser, { signal: request.signal });
  } catch (error) {
    throw new MalformedForm(error instanceof Error ? error.message : 'the form broke off');
  }
  await taking;
  if (failed !== undefined) throw failed;
  return form;
}

function start(request: Request) {
  try {
    return busboy({
      headers: { 'content-type': request.headers.get('content-type') ?? '' },
      defParamCharset: 'utf8',
      limits: {
        fields: FIELDS_MAX,
        fieldSize: FIELD_MAX_BYTES,
        files: FILES_MAX,
        fileSize: Math.max(IMAGE_MAX_BYTES, CERTIFICATE_MAX_BYTES) + 1,
      },
    });
  } catch (error) {
    throw new MalformedForm(error instanceof Error ? error.message : 'no form');
  }
}

async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

// The bytes, or why not. What is too large is read past without being kept.
async function receive(stream: Readable, role: UploadRole): Promise<Uint8Array | string> {
  const limit = role === 'image' ? IMAGE_MAX_BYTES : CERTIFICATE_MAX_BYTES;
  let chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    const part = Buffer.from(chunk);
    size += part.length;
    if (size <= limit) chunks.push(part);
    else chunks = [];
  }
  return size > limit ? `The file is larger than ${limit / 1024 / 1024} MB.` : Buffer.concat(chunks);
}
