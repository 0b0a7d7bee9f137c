// The page to return to after a sign-in: always a path of this site, so that a link cannot redirect elsewhere.

/** The path in `?to=`, or the dashboard when it is missing, of another site, or only looks like a path (`//`, `/\`). */
export function returnPath(to: string | null): string {
  const home = '/dashboard';
  if (to === null || !/^\/(?![/\\])[\x21-\x7e]*$/.test(to) || to.includes('\\')) return home;
  const base = 'http://own.invalid';
  const url = URL.canParse(to, base) ? new URL(to, base) : undefined;
  if (url === undefined || url.origin !== base) return home;
  // What stands behind # says where in /field.
  const path = `${url.pathname}${url.search}${url.hash}`;
  return path.startsWith('//') || path === '/' || /^\/(login|tech-login|logout|second-factor|setup|reset)\b/.test(path)
    ? home
    : path;
}

/** The query that passes the return path on; empty when it is the dashboard. */
export function returnQuery(to: string | null): string {
  const path = returnPath(to);
  return path === '/dashboard' ? '' : `?to=${encodeURIComponent(path)}`;
}
