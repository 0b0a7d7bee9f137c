// In the browser: fetches the scripts of the pages that links lead to, while the page is idle. When the router cannot
// fetch a script it reloads the page, which would be lost without a connection.

/** Written by the build (vite.config.ts): its version, and the scripts of the public pages and of the back office. */
export const PROGRAM_LIST = '/program.json';

const begun = new Set<string>();

/**
 * Fetches the scripts in the background. A failed fetch is repeated when the browser is online again. Returns how to
 * stop.
 */
export function preloadProgram(reader: keyof typeof AFTER_MS): () => void {
  if (import.meta.env.DEV) return () => {};
  const parts = reader === 'office' ? ['public', 'office'] : ['public'];
  const fetchParts = () => {
    for (const part of parts.filter((part) => !begun.has(part))) {
      begun.add(part);
      fetchPart(part).catch(() => {
        begun.delete(part);
        window.addEventListener('online', fetchParts, { once: true });
      });
    }
  };
  const timer = setTimeout(fetchParts, AFTER_MS[reader]);
  return () => {
    clearTimeout(timer);
    window.removeEventListener('online', fetchParts);
  };
}

// The scripts that the page itself needs come first. The back office has a hundred parts more, which anybody who moves
// on at once does not need.
const AFTER_MS = { public: 1000, office: 5000 };

async function fetchPart(part: string): Promise<void> {
  const listed = await fetch(PROGRAM_LIST, { cache: 'no-cache' });
  if (!listed.ok) throw new Error(`${PROGRAM_LIST}: ${listed.status}`);
  const list: unknown = await listed.json();
  const files: unknown = typeof list === 'object' && list !== null ? Reflect.get(list, part) : undefined;
  if (!Array.isArray(files)) return;
  for (const file of files) if (typeof file === 'string') await import(/* @vite-ignore */ file);
}
