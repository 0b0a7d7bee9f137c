// Byte ranges (RFC 9110, section 14). One range is served. Several, or a malformed one, are answered with the whole
// file.

/** Inclusive positions. */
export type ByteRange = { start: number; end: number };

/** The range to send of `size` bytes; undefined means all of them, as when If-Range no longer matches. */
export function parseRange(
  header: string | undefined,
  ifRange: string,
  { etag, size }: { etag: string; size: number },
): ByteRange | 'unsatisfiable' | undefined {
  if (header === undefined || ifRange !== etag) return undefined;
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header);
  if (match === null) return undefined;
  const [, first = '', last = ''] = match;
  if (first === '') {
    if (last === '') return undefined;
    const length = Number(last);
    return length === 0 ? 'unsatisfiable' : { start: Math.max(0, size - length), end: size - 1 };
  }
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (start >= size) return 'unsatisfiable';
  return end < start ? undefined : { start, end };
}
