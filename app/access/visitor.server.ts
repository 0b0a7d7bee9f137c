import type { RouterContextProvider } from 'react-router';
import { clientAddress } from '#app/platform/services/services.server.ts';

/** The client of a request. User agent and address are stored with the session, so that its owner can recognise it. */
export type Visitor = { cookie: string; userAgent: string; address: string };

/**
 * The visitor of a request. The address comes from the socket or the trusted proxy, never from the client's headers.
 */
export function visitorOf({ headers }: Request, context: Readonly<RouterContextProvider>): Visitor {
  return {
    cookie: headers.get('cookie') ?? '',
    userAgent: (headers.get('user-agent') ?? '').slice(0, 400),
    address: context.get(clientAddress),
  };
}
