/** A CSV file to be saved as `name`, made as it is read: each step of `lines` asks for its block when somebody wants it. */
export function csvDownload(lines: AsyncGenerator<string, void, void>, name: string): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await lines.next();
        if (done === true) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      async cancel() {
        await lines.return();
      },
    },
    // Nothing is read before somebody wants it: a HEAD request asks the database nothing.
    { highWaterMark: 0 },
  );
  return new Response(body, {
    headers: {
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': `attachment; filename="${name}"`,
    },
  });
}
