import { ArrowLeft } from 'lucide-react';
import { Link, useNavigate } from 'react-router';

/** 'Go Back': to where one came from within the registry, else to `fallback` (which is all there is without scripts). */
export function GoBack({ fallback, look }: { fallback: string; look?: 'narrow-on-phones' }) {
  const navigate = useNavigate();
  return (
    <Link
      to={fallback}
      className={`no-print button-look button-secondary ${look === undefined ? '' : 'max-sm:w-11 max-sm:shrink-0 max-sm:px-0'}`}
      onClick={(event) => {
        // React Router numbers its own history entries: 0 is where this visit began.
        const state: unknown = window.history.state;
        const came =
          typeof state === 'object' &&
          state !== null &&
          'idx' in state &&
          typeof state.idx === 'number' &&
          state.idx > 0;
        const fromHere = document.referrer.startsWith(`${window.location.origin}/`);
        if ((!came && !fromHere) || window.history.length < 2) return;
        event.preventDefault();
        void navigate(-1);
      }}
    >
      <ArrowLeft size={20} aria-hidden="true" />
      <span className={look === undefined ? '' : 'max-sm:sr-only'}>Go Back</span>
    </Link>
  );
}
