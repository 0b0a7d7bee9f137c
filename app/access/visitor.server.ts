import type { RouterContextProvider } from 'react-router';
import { clientAddress } from '#app/platform/services/services.server.ts';

/** What a browser sends along: kept with its session, so that the owner can tell one from another. */
export type Visitor = { cookie: string; userAgent: string; address: string };

/** The visitor behind a request. The address is the socket's or the trusted proxy's: no header of the browser counts. */
export function visitorOf({ headers }: Request, context: Readonly<RouterContextProvider>): Visitor {
  return {
    cookie: headers.get('cookie') ?? '',
    userAgent: (headers.get('user-agent') ?? '').slice(0, 400),
    address: context.get(clientAddress),
  };
}
