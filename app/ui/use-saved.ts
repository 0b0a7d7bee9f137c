import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import type { Message } from './message.ts';
import { showToast } from './toasts.ts';

const REDIRECT_MS = 1000;

/** The answer of an action after a save sent by a script: the message, and the next address. */
export type Saved = { flash: Message; to: string };

/** Shows the message of a save, and navigates to the next page a second later. */
export function useSaved(saved: Saved | undefined): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (saved === undefined) return;
    showToast(saved.flash);
    const timer = setTimeout(() => void navigate(saved.to), REDIRECT_MS);
    return () => clearTimeout(timer);
  }, [saved, navigate]);
}
