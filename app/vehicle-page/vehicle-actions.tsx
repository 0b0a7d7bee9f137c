import { RowIcon } from '#app/ui/row-icon.tsx';
import Ellipsis from 'lucide-react/icons/ellipsis';
import Gauge from 'lucide-react/icons/gauge';
import Pencil from 'lucide-react/icons/pencil';
import QrCode from 'lucide-react/icons/qr-code';
import RectangleEllipsis from 'lucide-react/icons/rectangle-ellipsis';
import Trash2 from 'lucide-react/icons/trash';
import { IfMay } from '#app/access/use-may.tsx';
import { useEffect, useRef } from 'react';
import { href, Link } from 'react-router';
import { stayWhenOffline } from '#app/ui/needs-network.ts';
import { GoBack } from '#app/ui/go-back.tsx';

import { ShareLink } from './share-link.tsx';

/** The actions of a signed-in person, above the verdict. On a phone all but the first are in a menu. */
export function VehicleActions({ rego, page, hasLabel }: { rego: string; page: string; hasLabel: boolean }) {
  const update = href('/vehicles/update/:rego', { rego });
  const plate = href('/vehicles/plate/:rego', { rego });
  const remove = href('/vehicles/delete/:rego', { rego });
  return (
    <div className="no-print flex items-center gap-2 sm:flex-wrap sm:gap-3">
      <p className="mr-auto text-xl font-bold max-sm:hidden">{rego}</p>
      <GoBack fallback="/dashboard" look="narrow-on-phones" />
      <IfMay to="record visits">
        <Link
          to={`${page}?calibrate`}
          preventScrollReset
          className="button-look button-primary max-sm:grow max-sm:px-2 max-[374.98px]:text-sm whitespace-nowrap"
        >
          <Gauge size={18} aria-hidden="true" className="max-[374.98px]:hidden" />
          Calibrate
        </Link>
        <Link
          to={href('/vehicles/calibrate/:rego', { rego })}
          className="button-look button-secondary max-sm:grow max-sm:px-2 max-[374.98px]:text-sm whitespace-nowrap"
          aria-label="Calibrate all axles"
        >
          <Gauge size={18} aria-hidden="true" className="max-sm:hidden" />
          <span className="max-sm:hidden">Calibrate all axles</span>
          <span className="sm:hidden">All axles</span>
        </Link>
      </IfMay>
      <IfMay to="change vehicles">
        <Link to={update} className="button-look button-secondary max-sm:hidden">
          <Pencil size={18} aria-hidden="true" />
          Edit
        </Link>
        <Link to={plate} className="button-look button-secondary max-sm:hidden">
          Change plate
        </Link>
      </IfMay>
      <IfMay to="remove vehicles">
        <Link to={remove} className="button-look button-secondary max-sm:hidden" aria-label={`Delete ${rego}`}>
          <Trash2 size={18} aria-hidden="true" />
          Delete
        </Link>
      </IfMay>
      <Menu>
        <IfMay to="change vehicles">
          <Link to={update} className="menu-item">
            <Pencil size={18} aria-hidden="true" />
            Edit vehicle
          </Link>
          <Link to={plate} className="menu-item">
            <RectangleEllipsis size={18} aria-hidden="true" />
            Change plate
          </Link>
        </IfMay>
        <Link to={href('/vehicles/follow/:rego', { rego })} className="menu-item">
          <RowIcon name="bell" className="row-icon size-4.5" />
          Follow by email
        </Link>
        <a href={`/vehicles/report/${rego}.pdf`} className="menu-item" download onClick={stayWhenOffline}>
          <RowIcon name="file-text" className="row-icon size-4.5" />
          Report (PDF)
        </a>
        {hasLabel ? (
          <a href={`/vehicles/label/${rego}.pdf`} className="menu-item" download onClick={stayWhenOffline}>
            <QrCode size={18} aria-hidden="true" />
            Print a label
          </a>
        ) : null}
        <ShareLink rego={rego} className="menu-item" />
        <IfMay to="remove vehicles">
          <Link to={remove} className="menu-item border-t border-line" aria-label={`Delete ${rego}`}>
            <Trash2 size={18} aria-hidden="true" />
            Delete
          </Link>
        </IfMay>
      </Menu>
    </div>
  );
}

// The menu opens without scripts too. With scripts, Escape and a touch beside it close it.
function Menu({ children }: { children: React.ReactNode }) {
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = (event: Event) => {
      const details = menu.current;
      if (details === null || !details.open) return;
      if (event instanceof KeyboardEvent) {
        if (event.key !== 'Escape') return;
        details.querySelector('summary')?.focus();
      } else if (event.target instanceof Node && details.contains(event.target)) return;
      details.open = false;
    };
    document.addEventListener('pointerdown', close);
    document.addEventListener('keydown', close);
    return () => {
      document.removeEventListener('pointerdown', close);
      document.removeEventListener('keydown', close);
    };
  }, []);
  return (
    <details ref={menu} className="relative shrink-0 sm:hidden">
      <summary className="button-look button-secondary w-11 justify-center px-0" aria-label="More actions">
        <Ellipsis size={20} aria-hidden="true" />
      </summary>
      <div className="menu">{children}</div>
    </details>
  );
}
