import { RowIcon } from './row-icon.tsx';
import { Link } from 'react-router';
import { useGoBack } from './use-go-back.ts';

/**
 * 'Go Back' leads to the previous page within the registry, else to `fallback`; without scripts always to `fallback`.
 */
export function GoBack({ fallback, look }: { fallback: string; look?: 'narrow-on-phones' }) {
  const goBack = useGoBack();
  return (
    <Link
      to={fallback}
      className={`no-print button-look button-secondary ${look === undefined ? '' : 'max-sm:w-11 max-sm:shrink-0 max-sm:px-0'}`}
      onClick={(event) => {
        if (goBack()) event.preventDefault();
      }}
    >
      <RowIcon name="arrow-left" className="row-icon size-5" />
      <span className={look === undefined ? '' : 'max-sm:sr-only'}>Go Back</span>
    </Link>
  );
}
