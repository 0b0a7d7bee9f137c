// A row of the table of forms.
import type { Page } from '@playwright/test';
import type { StartedRegistry } from '#test/start-registry.ts';
import type { Person } from './people.ts';

export type Scene = { page: Page; registry: StartedRegistry; admin: Person };
export type Row = {
  /** Below app/. */
  route: string;
  failure: string;
  /** The page with the form. */
  open: (scene: Scene) => Promise<string>;
  /** What is typed, by label. */
  typed?: Record<string, string>;
  before?: (page: Page) => Promise<unknown>;
  button: string;
  isPublic?: true;
  /** Where the route has forms in several places. */
  where?: string;
};

/** A page that is there without more. */
export const at = (address: string) => () => Promise.resolve(address);
