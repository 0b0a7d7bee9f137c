import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [tailwindcss(), reactRouter()],
  build: { target: 'es2022' },
  // The server build's entry mounts pages and API, so both share one module graph and one pool.
  environments: { ssr: { build: { rollupOptions: { input: './server/app.ts' } } } },
  optimizeDeps: { entries: ['app/**/*.tsx'], exclude: ['kysely', 'pg'] },
});
