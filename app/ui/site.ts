import { useRouteLoaderData } from 'react-router';

/** The facts about the registry that every page has. */
export type Site = {
  registryName: string;
  city: string;
  /** `may`: what they may do (app/access/permissions.ts). */
  signedIn: { name: string; may: readonly string[]; personId: string } | null;
};

const UNKNOWN: Site = { registryName: 'Truck Scale Registry', city: 'Sydney', signedIn: null };

/** The registry's name and its zone's city; the defaults when the root loader itself failed. */
export function useSite(): Site {
  return useRouteLoaderData<Site>('root') ?? UNKNOWN;
}
