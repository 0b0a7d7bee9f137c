// Search as you type, over a plain GET form that works without scripts. The input is uncontrolled: what is typed before
// React has arrived stays, and is searched as soon as it has.
import { useEffect, useEffectEvent, useRef, type RefObject } from 'react';
import { useLocation, useNavigate, useNavigationType } from 'react-router';

const TYPING_PAUSE_MS = 150;

/**
 * Binds an input to `path`?q=: `text` is what the present page was searched for. `hrefOf` gives the address for a text
 * where the page has other parameters to keep. Returns the input's `ref` and `onInput`.
 */
export function useLiveSearch(
  path: string,
  text: string,
  hrefOf = (typed: string) => (typed === '' ? path : `${path}?q=${encodeURIComponent(typed)}`),
): { ref: RefObject<HTMLInputElement | null>; onInput: () => void } {
  const input = useRef<HTMLInputElement>(null);
  const navigate = useNavigate();
  const navigationType = useNavigationType();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const searched = useRef(text);
  const shown = useRef(text);
  const isDropped = useRef(false);
  const { key } = useLocation();

  const search = () => {
    const typed = input.current?.value.trim() ?? '';
    if (typed === searched.current) return;
    // One step in the history for a search, not one for each letter.
    const replace = searched.current !== '' && typed !== '';
    searched.current = typed;
    void navigate(hrefOf(typed), { replace, preventScrollReset: true });
  };

  // Once, when React has arrived: what was typed until then.
  const searchTyped = useEffectEvent(search);
  useEffect(() => searchTyped(), []);
  // The back button, or a link: the box follows.
  useEffect(() => {
    if (text === shown.current) return;
    shown.current = text;
    if (text === searched.current) return;
    searched.current = text;
    if (input.current !== null && (navigationType === 'POP' || document.activeElement !== input.current))
      input.current.value = text;
  }, [text, navigationType]);
  // A link that is clicked wins over a search that has not begun: begun later, it would take the link's page away.
  useEffect(() => {
    const dropSearch = ({ defaultPrevented, target }: MouseEvent) => {
      if (!defaultPrevented || !(target instanceof Element) || target.closest('a[href]') === null) return;
      clearTimeout(timer.current);
      isDropped.current = true;
    };
    document.addEventListener('click', dropSearch);
    return () => {
      document.removeEventListener('click', dropSearch);
      clearTimeout(timer.current);
    };
  }, []);
  // Where the link leads the same box may stand: it says what that page was searched for.
  const followLink = useEffectEvent((_key: string) => {
    if (!isDropped.current) return;
    isDropped.current = false;
    searched.current = text;
    if (input.current !== null) input.current.value = text;
  });
  useEffect(() => followLink(key), [key]);

  return {
    ref: input,
    onInput() {
      isDropped.current = false;
      clearTimeout(timer.current);
      timer.current = setTimeout(search, TYPING_PAUSE_MS);
    },
  };
}
