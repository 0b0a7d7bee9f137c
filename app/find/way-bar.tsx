import { Link, useLocation, useNavigate } from 'react-router';
import { KeyHint } from '#app/ui/key-hint.tsx';
import { RowIcon, type RowIconName } from '#app/ui/row-icon.tsx';
import { useSite } from '#app/ui/site.ts';
import { useKeys } from '#app/ui/use-keys.ts';

/** Above a record that was opened from a list: back to it, and to the records beside. Keys U, J, K. */
export function WayBar() {
  const { way: last } = useSite();
  const way = last?.of === useLocation().pathname ? last : undefined;
  const navigate = useNavigate();
  const go = (key: string, to: string | null = null) => (to === null ? {} : { [key]: () => void navigate(to) });
  useKeys({ ...go('u', way?.list), ...go('j', way?.next), ...go('k', way?.previous) });
  if (way === undefined) return null;
  const { label, list, place, total, previous, next } = way;
  return (
    <nav aria-label="In the list" className="no-print flex flex-wrap items-center gap-x-4 gap-y-2 pb-3">
      <Link to={list} className="inline-flex min-h-11 items-center gap-1 font-semibold">
        <RowIcon name="chevron-left" className="row-icon size-5" />
        {label}
      </Link>
      <span className="grow text-ink-2">
        {`${place === null ? '' : `${place.toLocaleString('en-AU')} of `}${total.toLocaleString('en-AU')}`}
      </span>
      <KeyHint keys={['K', 'J']} words="previous, next" />
      <Step to={previous} label="Previous" icon="chevron-left" />
      <Step to={next} label="Next" icon="chevron-right" />
    </nav>
  );
}

const Step = ({ to, label, icon }: { to: string | null; label: string; icon: RowIconName }) =>
  to === null ? null : (
    <Link to={to} aria-label={`${label} in the list`} className="button-look button-secondary w-11 px-0">
      <RowIcon name={icon} className="row-icon size-5" />
    </Link>
  );
