import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';

const PUBLIC_PARTS =
  /\/app\/(public-search|ui)\/|\/app\/vehicles\/(plate|verdict)|\/app\/platform\/(calendar|live-client)|\/lucide-react\/|\/react-router\/|\/react\//;

export default defineConfig({
  plugins: [tailwindcss(), reactRouter()],
  build: { target: 'es2022' },
  // The server build's entry mounts pages and API, so both share one module graph and one pool.
  environments: {
    // What the public pages share is one file: many small ones compress worse, and each is a request on a slow phone.
    client: {
      build: {
        rollupOptions: {
          output: { codeSplitting: { groups: [{ name: 'public', test: PUBLIC_PARTS, minShareCount: 3 }] } },
        },
      },
    },
    ssr: { build: { rollupOptions: { input: './server/app.ts' } } },
  },
  optimizeDeps: { entries: ['app/**/*.tsx'], exclude: ['kysely', 'pg'] },
});
