import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [tailwindcss(), reactRouter()],
  // The server build's entry mounts pages and API, so both share one module graph and one pool.
  build: { target: 'es2022', sourcemap: false, ...(isSsrBuild ? { rolldownOptions: { input: './server/app.ts' } } : {}) },
  optimizeDeps: { entries: ['app/**/*.tsx'], exclude: ['@node-rs/argon2', 'kysely', 'pg'] },
}));
