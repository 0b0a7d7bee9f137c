import type { Notice } from './notices.ts';

type Hear = (notice: Notice) => void;
const waiting: Notice[] = [];
let host: () => void = () => {};
let toaster: Hear | undefined;

/** Shows a toast for five seconds; longer while it is pointed at or focused. Browser only. */
export function showToast(notice: Notice): void {
  if (toaster !== undefined) return toaster(notice);
  waiting.push(notice);
  host();
}

/** Calls `needed` when there is a first toast to show. Returns how to stop. */
export function onFirstToast(needed: () => void): () => void {
  host = needed;
  if (waiting.length > 0) needed();
  return () => {
    host = () => {};
  };
}

/** Hears each toast, those that waited first. Returns how to stop. */
export function hearToasts(hear: Hear): () => void {
  for (const notice of waiting.splice(0)) hear(notice);
  toaster = hear;
  return () => {
    toaster = undefined;
  };
}
