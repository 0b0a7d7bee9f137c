// Bundles commands/verify.ts into build/verify.mjs: one file of plain JavaScript without dependencies, for Node 20 or
// newer. Readable on purpose: whoever runs it to check on the registry may want to read it.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const outDir = process.argv[2] ?? path.join(root, 'build');

await build({
  root,
  configFile: false,
  publicDir: false,
  logLevel: 'warn',
  ssr: { noExternal: true, target: 'node' },
  build: {
    ssr: path.join(root, 'commands/verify.ts'),
    target: 'node20',
    outDir,
    emptyOutDir: false,
    minify: false,
    rollupOptions: { output: { entryFileNames: 'verify.mjs', codeSplitting: false } },
  },
});
process.stdout.write(`${path.join(outDir, 'verify.mjs')}\n`);
