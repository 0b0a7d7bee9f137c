// Lists every route pattern of the server: the pages of app/routes.ts, Hono's routes, and the API's.
import type { RouteConfigEntry } from '@react-router/dev/routes';
import routes from '#app/routes.ts';
import { apiApp } from '#server/api.ts';
import { createApp } from '#server/app.ts';
import type { Services } from '#app/platform/services/services.server.ts';

export const API_PREFIX = '/api/v1';

/** `kind`: a page also has an address for its data. */
export type Route = { kind: 'page' | 'other'; pattern: string };

/** All of them, each once. */
export function allRoutes(services: Services): Route[] {
  const own = createApp(services).routes.map(({ path }) => path);
  const api = apiApp(services).routes.map(({ path }) => `${API_PREFIX}${path}`);
  const pages = new Set(pagePatterns(routes));
  const others = new Set(
    [...own, ...api].map((path) => path.replace(/(?<=.)\/$/, '')).filter((path) => !pages.has(path)),
  );
  return [
    ...[...pages].map((pattern) => ({ kind: 'page' as const, pattern })),
    ...[...others].filter((pattern) => pattern !== '*').map((pattern) => ({ kind: 'other' as const, pattern })),
  ];
}

/** The patterns of pages, as app/routes.ts nests them. */
export function pagePatterns(entries: readonly RouteConfigEntry[], above = ''): string[] {
  return entries.flatMap((entry) => {
    const path = [above, entry.path].filter(Boolean).join('/');
    return entry.children === undefined ? [`/${path}`] : pagePatterns(entry.children, path);
  });
}

/** What stands for the parameters of a pattern. */
export type Examples = { rego: string; email: string; personId: string; calibration: string; reference: string };

/** An address of `pattern` that there is, as far as `examples` go. */
export function addressOf(pattern: string, { rego, email, personId, calibration, reference }: Examples): string {
  const id = pattern.startsWith('/calibrations')
    ? calibration
    : pattern.includes('/references')
      ? reference
      : email.replaceAll('.', ',');
  const file = pattern.includes('label')
    ? `${rego}.svg`
    : pattern.startsWith('/calibrations')
      ? `${id}.pdf`
      : `${rego}.pdf`;
  return pattern
    .replaceAll(/:rego(\{[^}]*\})?/g, rego)
    .replaceAll(/:file(\{[^}]*\})?/g, file)
    .replaceAll(/:personId(\{[^}]*\})?/g, personId)
    .replaceAll(/:day(\{[^}]*\})?/g, '2020-03-12')
    .replaceAll(/:token(\{[^}]*\})?/g, 'x'.repeat(43))
    .replaceAll(/:[a-zA-Z]+(\{[^}]*\})?/g, id)
    .replaceAll('*', 'no/such/page');
}

/** The same pattern with `text` for its last parameter; undefined where it has none. */
export function addressWith(pattern: string, examples: Examples, text: string): string | undefined {
  const parameter = /(:[a-zA-Z]+(\{[^}]*\})?|\*)(?!.*[:*])/.exec(pattern);
  if (parameter === null) return undefined;
  const before = addressOf(pattern.slice(0, parameter.index), examples);
  return `${before}${text}${addressOf(pattern.slice(parameter.index + parameter[0].length), examples)}`;
}
