// Bundles verify.ts, mirror.ts and witness.ts of commands/, each into one file of plain JavaScript without
// dependencies, for Node 20 or newer. Readable on purpose: anybody who runs them to check on the registry may want to
// read them.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const outDir = process.argv[2] ?? path.join(root, 'build');

for (const name of ['verify', 'mirror', 'witness']) {
  await build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    ssr: { noExternal: true, target: 'node' },
    build: {
      ssr: path.join(root, `commands/${name}.ts`),
      target: 'node20',
      outDir,
      emptyOutDir: false,
      minify: false,
      rollupOptions: { output: { entryFileNames: `${name}.mjs`, codeSplitting: false } },
    },
  });
  process.stdout.write(`${path.join(outDir, `${name}.mjs`)}\n`);
}
