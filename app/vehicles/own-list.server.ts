// Whose trucks a list may be narrowed to: one's own, and anybody's by an admin. A technician would else read a rival's
// customers from it, with their companies, in one request.
import type { RouterContextProvider } from 'react-router';
import { may } from '#app/access/permissions.ts';
import { requireSignedIn } from '#app/access/session.server.ts';

/** The address of a list, without a person who is not the reader's to ask for. */
export function ownList(url: URL, context: Readonly<RouterContextProvider>): URL {
  const { personId, role } = requireSignedIn(context);
  const own = new URL(url);
  if (own.searchParams.get('by') !== personId && !may(role, 'read people')) own.searchParams.delete('by');
  return own;
}
