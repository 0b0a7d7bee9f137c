import type { MouseEvent } from 'react';
import { useNavigate } from 'react-router';

/**
 * For the `onClick` of what has many plain links in it, addresses without a query: the router follows them, as it does
 * a <Link>. A click that the browser
 * has a meaning of its own for (a new tab, a download) is left to it.
 */
export function useFollowLink(): (event: MouseEvent) => void {
  const navigate = useNavigate();
  return (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    const { button, metaKey, ctrlKey, shiftKey, altKey } = event;
    if (link === null || button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return;
    event.preventDefault();
    void navigate(link.pathname);
  };
}
