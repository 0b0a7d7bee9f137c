import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import type { Message } from './message.ts';
import { showToast } from './toasts.ts';

const REDIRECT_MS = 1000;

/** The answer of an action after a save sent by a script: the message, and the next address. */
export type Saved = { flash: Message; to: string };

/**
 * Shows the message of a save, and puts the next page in the place of the form a second later: Go Back never leads into
 * it.
 */
export function useSaved(saved: Saved | undefined): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (saved === undefined) return;
    showToast(saved.flash);
    const timer = setTimeout(() => void navigate(saved.to, { replace: true }), REDIRECT_MS);
    return () => clearTimeout(timer);
  }, [saved, navigate]);
}
