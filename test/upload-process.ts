// A separate process that reads uploads and reports by how much its memory grew, so that other tests do not add to the
// figure. `POST /` answers with the refusal. `POST /image` encodes a JPEG again. `GET /` answers with the growth in MB
// since the start or the last question.
import { serve } from '@hono/node-server';
import { encodeImage } from '#app/files/encode-image.server.ts';
import { readMultipart } from '#app/files/read-multipart.server.ts';

const MEGABYTE = 1024 * 1024;
let [before, peak] = [0, 0];
// V8 collects network buffers only after 64 MB of them, however an upload is read. This measures the upload's own
// memory.
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
  const { refused } = await readMultipart(request, { roleOf: () => 'certificate', take: async () => undefined });
  return Response.json([...refused.values()]);
}

const server = serve({ fetch: answer, hostname: '127.0.0.1', port: 0 }, ({ port }) => process.send?.(port));
process.on('disconnect', () => server.close(() => process.exit()));
