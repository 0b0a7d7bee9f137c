import { useSyncExternalStore } from 'react';
import type { Message } from './message.ts';

export type Toast = Message & { id: number };

const NONE: readonly Toast[] = [];
let shown = NONE;
let latest = 0;
const readers = new Set<() => void>();

function change(next: readonly Toast[]): void {
  shown = next;
  for (const reread of readers) reread();
}

/**
 * Shows a toast and removes what it makes out of date: another one of its kind, and after a success what failed before
 * it. Browser only.
 */
export const showToast = (message: Message): void =>
  change([
    ...shown.filter(({ kind }) => message.kind !== 'success' && kind !== message.kind),
    { ...message, id: (latest += 1) },
  ]);

export const closeToast = (id: number): void => change(shown.filter((toast) => toast.id !== id));

/** The toasts shown now, the latest last. */
export function useToasts(): readonly Toast[] {
  return useSyncExternalStore(
    subscribe,
    () => shown,
    () => NONE,
  );
}

function subscribe(reread: () => void): () => void {
  readers.add(reread);
  return () => void readers.delete(reread);
}
