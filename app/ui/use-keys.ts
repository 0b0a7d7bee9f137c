// The keys of a page. They do nothing while somebody types, chooses or presses a modifier.
import { useLayoutEffect } from 'react';

const TYPING = 'input:not([type=checkbox]), textarea, select, [contenteditable], dialog';

/** Calls the function of a key (lower case, as `KeyboardEvent.key` has it). */
export function useKeys(keys: Readonly<Record<string, () => void>>): void {
  // A layout effect: the keys work from the moment the page is shown.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
      if (event.target instanceof Element && event.target.closest(TYPING) !== null) return;
      const act = keys[event.key.toLowerCase()];
      if (act === undefined) return;
      event.preventDefault();
      act();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  });
}
