import type { MetaDescriptor } from 'react-router';

type AnyPage = { matches: readonly [{ loaderData?: { registryName: string } | undefined }, ...unknown[]] };

/** The `meta` of a route whose title does not depend on its data; `more` is for search engines. */
export const titled =
  (title: string, more: { description?: string; robots?: 'noindex' } = {}) =>
  ({ matches }: AnyPage): MetaDescriptor[] => [
    { title: `${title} · ${matches[0].loaderData?.registryName ?? ''}` },
    ...Object.entries(more).map(([name, content]) => ({ name, content })),
  ];
