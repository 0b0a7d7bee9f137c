import { type Bytes, concatBytes } from '#app/tlog/bytes.ts';

/** The bytes of a body. Throws what `tooLong` makes beyond `max` of them, so that no server fills the memory. */
export async function readLimited({ body }: Response, max: number, tooLong: () => Error): Promise<Bytes> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of body ?? []) {
    length += part.length;
    // Leaving the loop ends the connection.
    if (length > max) throw tooLong();
    parts.push(part);
  }
  return concatBytes(...parts);
}
