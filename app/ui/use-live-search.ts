// Search as you type, on top of a plain GET form that works without scripts. The input is uncontrolled: text typed
// before hydration stays, and is searched after it.
import { useEffect, useEffectEvent, useLayoutEffect, useRef, type RefObject } from 'react';
import { useLocation, useNavigate, useNavigationType } from 'react-router';

const TYPING_PAUSE_MS = 150;

/** The attributes of an input that searches for a code of capital letters and digits. */
export const CODE_SEARCH = {
  name: 'q',
  type: 'search',
  maxLength: 60,
  autoComplete: 'off',
  autoCapitalize: 'characters',
  autoCorrect: 'off',
  spellCheck: false,
  enterKeyHint: 'search',
} as const;

// The search box that the present render removes, after its search was sent.
let removed: { text: string; hasFocus: boolean } | undefined;

/**
 * For a box that leads to a page with a live search: what is typed while that page loads goes on in its box. Returns
 * the input's `ref`, and `onSubmit` for its form.
 */
export function useSearchThatLeads(): { ref: RefObject<HTMLInputElement | null>; onSubmit: () => void } {
  const input = useRef<HTMLInputElement>(null);
  const isSent = useRef(false);
  useLayoutEffect(() => {
    const box = input.current;
    return () => {
      if (!isSent.current || box === null) return;
      removed = { text: box.value, hasFocus: document.activeElement === box };
      setTimeout(() => (removed = undefined));
    };
  }, []);
  return { ref: input, onSubmit: () => (isSent.current = true) };
}

/**
 * Binds an input to `path`?q=. `text`: the search of the current page. `hrefOf`: returns the address for a text, for a
 * page with further parameters. Returns the input's `ref` and `onInput`.
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
    // A search adds one history entry, not one for each letter.
    const replace = searched.current !== '' && typed !== '';
    searched.current = typed;
    void navigate(hrefOf(typed), { replace, preventScrollReset: true });
  };

  useLayoutEffect(() => {
    if (removed === undefined || input.current === null) return;
    input.current.value = removed.text;
    if (removed.hasFocus) input.current.focus();
  }, []);
  // Once, after hydration: searches the text that was typed before, unless a link was clicked since.
  const searchTyped = useEffectEvent(() => {
    if (!isDropped.current) search();
  });
  useEffect(() => searchTyped(), []);
  // After the back button or a link, the input shows the search of the new page.
  useEffect(() => {
    if (text === shown.current) return;
    shown.current = text;
    if (text === searched.current) return;
    searched.current = text;
    if (input.current !== null && (navigationType === 'POP' || document.activeElement !== input.current))
      input.current.value = text;
  }, [text, navigationType]);
  // Clicking a link cancels a search that has not begun: beginning later, it would leave the page of the link.
  useLayoutEffect(() => {
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
  // The linked page may have the same input, which then shows the search of that page.
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
