import type { Readable } from 'node:stream';

/** The bytes of `stream` as a response's body, read when its reader is ready. Cancelling it destroys the stream. */
export function toWeb(stream: Readable): ReadableStream<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = stream[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    cancel: () => void stream.destroy(),
  });
}
