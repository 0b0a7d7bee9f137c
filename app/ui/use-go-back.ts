import { useNavigate } from 'react-router';

/** Goes back to where one came from within the registry, as the back button does. Returns false when that is nowhere. */
export function useGoBack(): () => boolean {
  const navigate = useNavigate();
  return () => {
    // React Router numbers its own history entries: 0 is where this visit began.
    const state: unknown = window.history.state;
    const came =
      typeof state === 'object' && state !== null && 'idx' in state && typeof state.idx === 'number' && state.idx > 0;
    const fromHere = document.referrer.startsWith(`${window.location.origin}/`);
    if ((!came && !fromHere) || window.history.length < 2) return false;
    void navigate(-1);
    return true;
  };
}
