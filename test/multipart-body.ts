// Multipart bodies as browsers write them, and as nobody should.
const BOUNDARY = 'form-of-a-test';
export const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`;

/** A part; `disposition` replaces the whole line of that name, for names that no browser would send. */
export type Part = {
  name?: string;
  filename?: string;
  disposition?: string;
  type?: string;
  bytes: Uint8Array | string;
};

/** The body of a form with `parts`, up to and with its end. */
export function multipartBody(parts: readonly Part[]): Buffer {
  return Buffer.concat([...parts.flatMap((part) => [partHead(part), Buffer.from(part.bytes), CRLF]), END]);
}
const CRLF = Buffer.from('\r\n');
export const END = Buffer.from(`--${BOUNDARY}--\r\n`);

/** What stands before the bytes of a part. */
export function partHead({ name, filename, disposition, type }: Omit<Part, 'bytes'>): Buffer {
  const line =
    disposition ??
    `form-data${name === undefined ? '' : `; name="${name}"`}${filename === undefined ? '' : `; filename="${filename}"`}`;
  const typeLine = type ?? (filename === undefined ? undefined : 'application/octet-stream');
  return Buffer.from(
    `--${BOUNDARY}\r\nContent-Disposition: ${line}\r\n${typeLine === undefined ? '' : `Content-Type: ${typeLine}\r\n`}\r\n`,
  );
}

/** A POST of `body`; a list is sent piece by piece, each when the reader asks for it. */
export function formRequest(
  body: Uint8Array | Iterable<Uint8Array> | ReadableStream<Uint8Array> | null,
  { contentType = MULTIPART, signal }: { contentType?: string; signal?: AbortSignal } = {},
): Request {
  const headers = new Headers(contentType === '' ? {} : { 'content-type': contentType });
  return new Request('http://registry.example/uploads', {
    method: 'POST',
    headers,
    ...(body === null ? {} : { body: body instanceof ReadableStream ? body : streamOf(body) }),
    ...(signal === undefined ? {} : { signal }),
    duplex: 'half',
  } as RequestInit);
}

function streamOf(body: Uint8Array | Iterable<Uint8Array>): ReadableStream<Uint8Array> {
  const pieces = (body instanceof Uint8Array ? cut(body, 65_536) : body)[Symbol.iterator]();
  return new ReadableStream({
    pull(controller) {
      const { done, value } = pieces.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
  });
}

/** `bytes` in pieces of `size`. */
export function* cut(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
