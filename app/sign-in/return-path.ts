// Where a sign-in leads back to: a path of our own, and nothing else.

/** The path of `?to=`, else the dashboard. An address of another site, or one that only looks like a path, is ignored. */
export function returnPath(to: string | null): string {
  const home = '/dashboard';
  if (to === null || !/^\/(?![/\\])[\x21-\x7e]*$/.test(to) || to.includes('\\')) return home;
  const base = 'http://own.invalid';
  const url = URL.canParse(to, base) ? new URL(to, base) : undefined;
  if (url === undefined || url.origin !== base) return home;
  const path = `${url.pathname}${url.search}`;
  return path.startsWith('//') || path === '/' || /^\/(login|tech-login|logout|second-factor|setup|reset)\b/.test(path)
    ? home
    : path;
}

/** The query that carries the way back along; empty when it is the usual one. */
export function returnQuery(to: string | null): string {
  const path = returnPath(to);
  return path === '/dashboard' ? '' : `?to=${encodeURIComponent(path)}`;
}
