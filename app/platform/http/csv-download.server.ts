/**
 * A CSV file to be saved as `name`, made as it is read: each step of `lines` asks for its block when somebody wants it. The
 * heading and the first block are read before the answer begins, so what fails by then is answered as an error.
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
    // No further block is read before somebody wants it.
    { highWaterMark: 0 },
  );
  return new Response(body, {
    headers: {
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': `attachment; filename="${name}"`,
    },
  });
}
