// In the browser: the parts of the program that links lead to are fetched while the page is idle. When the router cannot
// fetch one it reloads the page, and without a connection that page would be gone.

/** The build lists them (vite.config.ts): what the public's links lead to, and what those of the back office do. */
const PROGRAM_LIST = '/program.json';

const begun = new Set<string>();

/** Fetches them in the background; what cannot be fetched now, when there is a connection again. */
export function preloadProgram(isSignedIn: boolean): () => void {
  if (import.meta.env.DEV) return () => {};
  const parts = isSignedIn ? ['public', 'office'] : ['public'];
  const fetchParts = () => {
    for (const part of parts.filter((part) => !begun.has(part))) {
      begun.add(part);
      fetchPart(part).catch(() => {
        begun.delete(part);
        window.addEventListener('online', fetchParts, { once: true });
      });
    }
  };
  const timer = setTimeout(fetchParts, IDLE_AFTER_MS);
  return () => {
    clearTimeout(timer);
    window.removeEventListener('online', fetchParts);
  };
}

// What a page needs for itself comes first.
const IDLE_AFTER_MS = 1000;

async function fetchPart(part: string): Promise<void> {
  const listed = await fetch(PROGRAM_LIST, { cache: 'no-cache' });
  if (!listed.ok) throw new Error(`${PROGRAM_LIST}: ${listed.status}`);
  const list: unknown = await listed.json();
  const files: unknown = typeof list === 'object' && list !== null ? Reflect.get(list, part) : undefined;
  if (!Array.isArray(files)) return;
  for (const file of files) if (typeof file === 'string') await import(/* @vite-ignore */ file);
}
