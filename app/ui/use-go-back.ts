import { useNavigate } from 'react-router';

/** Goes back as the back button does, within the registry. Returns false when the visit began at this page. */
export function useGoBack(): () => boolean {
  const navigate = useNavigate();
  return () => {
    // React Router numbers its history entries; the visit began at 0.
    const state: unknown = window.history.state;
    const came =
      typeof state === 'object' && state !== null && 'idx' in state && typeof state.idx === 'number' && state.idx > 0;
    const fromHere = document.referrer.startsWith(`${window.location.origin}/`);
    if ((!came && !fromHere) || window.history.length < 2) return false;
    void navigate(-1);
    return true;
  };
}
