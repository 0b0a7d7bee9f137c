import ChevronLeft from 'lucide-react/icons/chevron-left';
import { Link, useNavigate } from 'react-router';
import { KeyHint } from '#app/ui/key-hint.tsx';
import { useListWay } from '#app/ui/list-way.ts';
import { RowIcon } from '#app/ui/row-icon.tsx';
import { useKeys } from '#app/ui/use-keys.ts';

/** Above a record that was opened from a list: back to it, and to the records beside. Keys U, J, K. */
export function WayBar() {
  const way = useListWay();
  const navigate = useNavigate();
  const go = (key: string, to: string | null | undefined) =>
    to === null || to === undefined ? {} : { [key]: () => void navigate(to) };
  useKeys({ ...go('u', way?.list), ...go('j', way?.next), ...go('k', way?.previous) });
  if (way === undefined) return null;
  const { label, list, place, total, previous, next } = way;
  return (
    <nav aria-label="In the list" className="no-print flex flex-wrap items-center gap-x-4 pb-3">
      <Link to={list} className="inline-flex min-h-11 items-center gap-1 font-semibold">
        <ChevronLeft size={18} aria-hidden="true" />
        {label}
      </Link>
      <span className="text-ink-2">
        {place === null
          ? total.toLocaleString('en-AU')
          : `${place.toLocaleString('en-AU')} of ${total.toLocaleString('en-AU')}`}
      </span>
      <span className="ml-auto flex items-center gap-2">
        <KeyHint keys={['K', 'J']} words="previous, next" />
        <Step to={previous} label="Previous" />
        <Step to={next} label="Next" />
      </span>
    </nav>
  );
}

function Step({ to, label }: { to: string | null; label: 'Previous' | 'Next' }) {
  if (to === null) return null;
  return (
    <Link
      to={to}
      rel={label === 'Next' ? 'next' : 'prev'}
      aria-label={`${label} in the list`}
      className="button-look button-secondary w-11 px-0"
    >
      <RowIcon name={label === 'Next' ? 'chevron-right' : 'chevron-left'} className="row-icon size-5" />
    </Link>
  );
}
