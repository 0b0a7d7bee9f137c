import { useRouteLoaderData } from 'react-router';

/** Where the record at the path `of` stands in the list that it was opened from. `place`: from 1; null: no more. */
export type ListWay = {
  of: string;
  label: string;
  list: string;
  place: number | null;
  total: number;
  previous: string | null;
  next: string | null;
};

/** The facts about the registry that every page has. */
export type Site = {
  registryName: string;
  city: string;
  /** `may`: what they may do (app/access/permissions.ts). */
  signedIn: { name: string; may: readonly string[]; personId: string } | null;
  /** Of the record that was opened last from a list. */
  way: ListWay | null;
};

const UNKNOWN: Site = { registryName: 'Truck Scale Registry', city: 'Sydney', signedIn: null, way: null };

/** The registry's name and its zone's city; the defaults when the root loader itself failed. */
export function useSite(): Site {
  return useRouteLoaderData<Site>('root') ?? UNKNOWN;
}
