import type { ReactNode } from 'react';
import { useSite } from '#app/ui/site.ts';
import type { Permission } from './permissions.ts';

/** What this reader may do, as the page's data says it. Nobody signed in: only what every public page offers. */
export function useMay(): (permission: Permission) => boolean {
  const held: readonly string[] = useSite().signedIn?.may ?? [];
  return (permission) => held.includes(permission);
}

/** What is offered only to whom may do it: a page offers nothing that is then refused. */
export function IfMay({ to, children }: { to: Permission; children: ReactNode }) {
  return useMay()(to) ? children : null;
}
