// The keys of a page. A single one does nothing while somebody types, chooses or presses a modifier.
import { useLayoutEffect } from 'react';

const TYPING = 'input:not([type=checkbox]), textarea, select, [contenteditable], dialog';

/** Calls the function of a key (lower case, as `KeyboardEvent.key` has it; 'ctrl+k' with Ctrl or Cmd). */
export function useKeys(keys: Readonly<Record<string, () => unknown>>): void {
  // A layout effect: the keys work from the moment the page is shown.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isCtrl = event.ctrlKey || event.metaKey;
      if (event.altKey || event.isComposing || (isCtrl && event.shiftKey)) return;
      if (!isCtrl && event.target instanceof Element && event.target.closest(TYPING) !== null) return;
      const act = keys[`${isCtrl ? 'ctrl+' : ''}${event.key.toLowerCase()}`];
      if (act === undefined) return;
      event.preventDefault();
      act();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  });
}
