// (a) What Node's own HTTP can do at most: it answers bytes from memory, as many as the path says.
import { createServer } from 'node:http';

const kept = new Map<string, Buffer>();
const server = createServer((request, response) => {
  const size = new URL(request.url ?? '/', 'http://x').searchParams.get('bytes') ?? '0';
  let bytes = kept.get(size);
  if (bytes === undefined) kept.set(size, (bytes = Buffer.alloc(Number(size), 'x')));
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes.length });
  response.end(bytes);
});
server.listen(Number(process.env['PORT']), '127.0.0.1');
