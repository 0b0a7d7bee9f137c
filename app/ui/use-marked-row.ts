// A list's row that J and K move to, and Enter opens.
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useKeys } from './use-keys.ts';

/** `addresses`: of the rows. Returns the marked row's place; null: none is marked yet. */
export function useMarkedRow(addresses: readonly string[]): number | null {
  const [marked, setMarked] = useState<number | null>(null);
  const navigate = useNavigate();
  const move = (by: number) => () =>
    setMarked((now) => Math.min(addresses.length - 1, Math.max(0, now === null ? 0 : now + by)));
  const open = () => {
    const address = addresses[marked ?? 0];
    if (address !== undefined) void navigate(address);
  };
  useKeys({ j: move(1), k: move(-1), ...(marked === null ? {} : { enter: open }) });
  return marked;
}
