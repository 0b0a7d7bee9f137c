// A process of its own that reads uploads and tells by how much its memory grew: among other tests the figure would be
// theirs. `POST /` answers with the refusal; `POST /image` makes a JPEG again; `GET /` answers with the megabytes, since the
// start or the last time it was asked.
import { serve } from '@hono/node-server';
import { encodeImage } from '#app/files/encode-image.server.ts';
import { readMultipart } from '#app/files/read-multipart.server.ts';

const MEGABYTE = 1024 * 1024;
let [before, peak] = [0, 0];
// V8 lets 64 MB of pieces that came from the network lie before it collects them, however an upload is read. What is
// measured is what the upload itself holds.
const sample = () => {
  globalThis.gc?.();
  peak = Math.max(peak, process.memoryUsage.rss());
};
setInterval(sample, 20).unref();

async function answer(request: Request): Promise<Response> {
  if (request.method === 'GET') {
    sample();
    const grown = Math.ceil((peak - before) / MEGABYTE);
    before = process.memoryUsage.rss();
    peak = before;
    return Response.json(grown);
  }
  if (new URL(request.url).pathname === '/image') {
    const image = await encodeImage(new Uint8Array(await request.arrayBuffer()), 'image/jpeg');
    return Response.json(typeof image === 'string' ? image : image.width);
  }
  const { refused } = await readMultipart(
    request,
    () => 'certificate',
    async () => undefined,
  );
  return Response.json([...refused.values()]);
}

const server = serve({ fetch: answer, hostname: '127.0.0.1', port: 0 }, ({ port }) => process.send?.(port));
process.on('disconnect', () => server.close(() => process.exit()));
