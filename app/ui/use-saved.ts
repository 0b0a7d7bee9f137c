import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import type { Notice } from './notice.ts';
import { showToast } from './toasts.ts';

const REDIRECT_MS = 1000;

/** What an action answers after a save that a script sent: what to say, and where to go. */
export type Saved = { notice: Notice; to: string };

/** Shows the message of a save and goes on a second later. */
export function useSaved(saved: Saved | undefined): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (saved === undefined) return;
    showToast(saved.notice);
    const timer = setTimeout(() => void navigate(saved.to), REDIRECT_MS);
    return () => clearTimeout(timer);
  }, [saved, navigate]);
}
