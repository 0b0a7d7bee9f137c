// Search as you type, over a plain GET form that works without scripts. The input is uncontrolled: what is typed before
// React has arrived stays, and is searched as soon as it has.
import { useEffect, useRef, type RefObject } from 'react';
import { useNavigate, useNavigationType } from 'react-router';

const TYPING_PAUSE_MS = 150;

/** Binds `input` to `path`?q=: `text` is what the present page was searched for. Returns the handler for `onInput`. */
export function useLiveSearch(input: RefObject<HTMLInputElement | null>, path: string, text: string): () => void {
  const navigate = useNavigate();
  const navigationType = useNavigationType();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const searched = useRef(text);

  const search = () => {
    const typed = input.current?.value.trim() ?? '';
    if (typed === searched.current) return;
    // One step in the history for a search, not one for each letter.
    const replace = searched.current !== '' && typed !== '';
    searched.current = typed;
    void navigate(typed === '' ? path : `${path}?q=${encodeURIComponent(typed)}`, { replace, preventScrollReset: true });
  };

  // Once, when React has arrived: what was typed until then.
  useEffect(search, []);
  // The back button, or a link: the box follows.
  useEffect(() => {
    if (text === searched.current) return;
    searched.current = text;
    if (input.current !== null && (navigationType === 'POP' || document.activeElement !== input.current)) input.current.value = text;
  }, [text, navigationType, input]);
  useEffect(() => () => clearTimeout(timer.current), []);

  return () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(search, TYPING_PAUSE_MS);
  };
}
