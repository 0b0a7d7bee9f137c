// A list's row that J and K move to. The row's link gets the focus, so that Enter opens it.
import { useState } from 'react';
import { useKeys } from './use-keys.ts';

/** `addresses`: of the rows, as their links have them. Returns the marked row's place; null: none is marked yet. */
export function useMarkedRow(addresses: readonly string[]): number | null {
  const [marked, setMarked] = useState<number | null>(null);
  const move = (by: number) => () => {
    const next = Math.min(addresses.length - 1, Math.max(0, marked === null ? 0 : marked + by));
    setMarked(next);
    document.querySelector<HTMLElement>(`main a[href="${addresses[next] ?? ''}"]`)?.focus();
  };
  useKeys({ j: move(1), k: move(-1) });
  return marked;
}
