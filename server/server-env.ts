// The Hono variables by which middleware and routes pass values to each other.
import type { HttpBindings } from '@hono/node-server';

/**
 * An answer that may be cached for everyone. `tags`: a change of one of these topics makes it old. `whole`: how long it
 * stays true without a change.
 */
export type Cacheable = {
  tags: readonly string[];
  whole: 'this minute' | 'today';
  route: string;
};

/**
 * `clientAddress`: as `clientOf` returns it. `routePattern`: the pattern of the page that answers, as in app/routes.ts.
 */
export type ServerEnv = {
  Bindings: Partial<HttpBindings>;
  Variables: {
    requestId: string;
    clientAddress: string;
    routePattern: string | null;
    cacheable: Cacheable | undefined;
    /** The answer came from the response cache. */
    isCached: boolean | undefined;
  };
};
