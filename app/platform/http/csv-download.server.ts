import { attachment } from './attachment.server.ts';

/**
 * A CSV file to be saved as `name`, streamed: each step of `lines` produces one block, when the client is ready for it.
 * The heading and the first block are read before the answer begins, so a failure up to then is answered as an error.
 */
export async function csvDownload(lines: AsyncGenerator<string, void, void>, name: string): Promise<Response> {
  const encoder = new TextEncoder();
  const begun = [await lines.next(), await lines.next()];
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = begun.shift() ?? (await lines.next());
        if (done === true) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      async cancel() {
        await lines.return();
      },
    },
    // No block is read ahead.
    { highWaterMark: 0 },
  );
  return attachment(body, name, { 'content-type': 'text/csv; charset=utf-8; header=present' });
}
