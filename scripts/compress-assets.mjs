// Writes .br and .gz beside each text asset of the browser build, so that none is compressed at request time.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const client = path.resolve(import.meta.dirname, '../build/client');
for (const name of readdirSync(client, { recursive: true })) {
  if (!/\.(js|css|svg|json|txt|webmanifest)$/.test(name)) continue;
  const file = path.join(client, name);
  const bytes = readFileSync(file);
  writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }));
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
}
