import { createHash } from 'node:crypto';
import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { build, defineConfig, type Plugin, type Rolldown } from 'vite';

const PUBLIC_PAGES =
  /\/app\/(root\.tsx|public-search\/routes\/|shell\/routes\/no-page|transparency-log\/routes\/log|vehicle-page\/routes\/view|visits\/routes\/view|following\/routes\/follow\.tsx|applications\/routes\/tech-register|sign-in\/routes\/(log|tech-login|reset|setup|second-factor))/;

// Public, but who looks up one truck never opens them: what they alone need is not part of every public page.
const BESIDE = /\/app\/(check-list|combination|field|witnesses)\b/;

// What app/platform/http/preload-program.ts fetches: the pages' own modules, and what they load late. No link leads to
// pages that a mail or a form leads to.
const WITHOUT_LINKS = /\/routes\/(end|following|logout|no-page|reset-link|second-factor|setup)\.tsx/;
const programList: Plugin = {
  name: 'program-list',
  applyToEnvironment: ({ name }) => name === 'client',
  generateBundle(_options, bundle) {
    const list: Record<'public' | 'office', string[]> = { public: [], office: [] };
    for (const file of Object.values(bundle)) {
      if (file.type !== 'chunk' || file.code.trim() === '') continue;
      const module = file.facadeModuleId ?? '';
      if (!/\/app\/.*\.tsx?/.test(module) || WITHOUT_LINKS.test(module)) continue;
      if (file.isDynamicEntry || module.includes('/routes/'))
        list[PUBLIC_PAGES.test(module) && !BESIDE.test(module) ? 'public' : 'office'].push(`/${file.fileName}`);
    }
    // The names hold the hashes of what is in the files: the same on every node that was built from the same sources.
    const version = createHash('sha256').update(Object.keys(bundle).toSorted().join(' ')).digest('hex').slice(0, 16);
    this.emitFile({ type: 'asset', fileName: 'program.json', source: JSON.stringify({ version, ...list }) });
  },
};

// /field-worker.js: the service worker as one file, with the list of what the page /field needs. What it loads is not
// shared with other pages' files, so that it does not change with them.
const fieldWorker: Plugin = {
  name: 'field-worker',
  applyToEnvironment: ({ name }) => name === 'client',
  async generateBundle(_options, bundle) {
    const files = new Set(['late.js', 'favicon.svg', 'field.webmanifest']);
    const add = (fileName: string) => {
      const file = bundle[fileName];
      if (file?.type !== 'chunk' || files.has(fileName)) return;
      files.add(fileName);
      for (const style of file.viteMetadata?.importedCss ?? []) files.add(style);
      for (const imported of file.imports) add(imported);
    };
    for (const file of Object.values(bundle))
      if (
        file.type === 'chunk' &&
        /\/app\/(entry\.client|root|field\/routes\/field)\.tsx/.test(file.facadeModuleId ?? '')
      )
        add(file.fileName);
    const built = await build({
      configFile: false,
      logLevel: 'warn',
      define: { FIELD_FILES: JSON.stringify([...files].map((name) => `/${name}`)) },
      build: {
        write: false,
        target: 'es2022',
        rollupOptions: {
          input: 'app/field/worker.ts',
          // As /late.js does for pages.
          output: { format: 'iife', banner: 'globalThis.__zod_globalConfig={jitless:true};' },
        },
      },
    });
    const [worker] = [built].flat().flatMap((one) => ('output' in one ? one.output : []));
    if (worker?.type !== 'chunk') throw new Error('the service worker was not built');
    this.emitFile({ type: 'asset', fileName: 'field-worker.js', source: worker.code });
  },
};

// A browser remembers that a file could not be loaded, and import() of it fails from then on. Under another address it
// is asked for again: app/platform/http/import-again.ts.
const importsAgain: Plugin = {
  name: 'imports-again',
  applyToEnvironment: ({ name }) => name === 'client',
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle))
      if (file.type === 'chunk')
        file.code = file.code.replaceAll(/\bimport\(`\.\/([\w.-]+\.js)`\)/g, 'importAgain(`/assets/$1`)');
  },
};

export default defineConfig(({ command }) => ({
  plugins: [tailwindcss(), reactRouter(), programList, fieldWorker, importsAgain],
  // No list of what each part loads: preload-program.ts fetches the parts beforehand, and the list is in every public
  // page.
  build: { target: 'es2022', modulePreload: { polyfill: false, resolveDependencies: () => [] } },
  // The server build's entry mounts pages and API, so both share one module graph and one pool.
  environments: {
    // What the public pages need is one file: many small ones compress worse, and each is a request on a slow phone.
    // What several pages of the back office share is another: each file more stands in the list of all routes, for each
    // route, and every public page loads that list.
    client: {
      build: {
        rollupOptions: {
          output: {
            codeSplitting: {
              groups: [
                { name: publicPart },
                {
                  name: 'office',
                  test: /\/app\/(?!check-list\/|combination\/|field\/|tlog\/|witnesses\/)/,
                  minShareCount: 2,
                },
              ],
            },
          },
        },
      },
    },
    ssr: {
      build: { rollupOptions: { input: './server/app.ts' } },
      // Bundled: each icon would be a file more to read at the start.
      resolve: { noExternal: command === 'build' ? ['lucide-react'] : [] },
    },
  },
  optimizeDeps: { entries: ['app/**/*.tsx'], exclude: ['kysely', 'pg'] },
}));

function publicPart(id: string, graph: Rolldown.ChunkingContext): string | null {
  if (BESIDE.test(id)) return null;
  const seen = new Set([id]);
  for (const module of seen) {
    if (PUBLIC_PAGES.test(module)) return 'public';
    for (const importer of graph.getModuleInfo(module)?.importers ?? []) seen.add(importer);
  }
  return null;
}
