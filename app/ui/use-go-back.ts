import { useNavigate } from 'react-router';

// The addresses of this tab's history, by the number that React Router gives its entries; the visit began at 0.
const trail: string[] = [];

function entryNumber(): number {
  const state: unknown = window.history.state;
  return typeof state === 'object' && state !== null && 'idx' in state && typeof state.idx === 'number' ? state.idx : 0;
}

/** Notes the page that is shown now. */
export function keepTrail(): void {
  trail[entryNumber()] = addressNow();
}

const addressNow = () => `${window.location.pathname}${window.location.search}`;

/**
 * Goes back as the back button does, within the registry. Returns false when the visit began at this page. After a save
 * the same page may stand behind itself, in place of the form: it is passed over.
 */
export function useGoBack(): () => boolean {
  const navigate = useNavigate();
  return () => {
    const now = entryNumber();
    let before = now - 1;
    while (before >= 0 && trail[before] === addressNow()) before -= 1;
    const fromHere = document.referrer.startsWith(`${window.location.origin}/`);
    if ((before < 0 && !fromHere) || window.history.length < 2) return false;
    void navigate(before - now);
    return true;
  };
}
