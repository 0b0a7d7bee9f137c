// Where the focus goes when another page has been opened. The router swaps what is shown and leaves the focus on the
// link that was pressed, or on the body when that is gone: a screen reader then says nothing, and Tab starts anywhere
// (WCAG 2.2, 2.4.3).
import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { keepTrail } from './use-go-back.ts';

/** Moves the focus to the h1 after each change of page, unless somebody types or the page has put it elsewhere. */
export function usePageFocus(): void {
  const { key, pathname } = useLocation();
  const shown = useRef({ key, pathname });
  // A plain effect of the outermost component: a page's own effects, and a closed dialog's, have run.
  useEffect(() => {
    keepTrail();
    const { current: before } = shown;
    shown.current = { key, pathname };
    if (before.key === key) return;
    const { activeElement } = document;
    const isLost = activeElement === null || activeElement === document.body;
    const isKept = before.pathname === pathname || activeElement?.matches('input, select, textarea, dialog, dialog *');
    if (!isLost && isKept === true) return;
    const heading = document.querySelector<HTMLElement>('h1');
    if (heading === null) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  }, [key, pathname]);
}
