import { Gauge, Pencil, Trash2 } from 'lucide-react';
import { Link } from 'react-router';
import { GoBack } from '#app/ui/go-back.tsx';

/** The row above the verdict for somebody signed in: the rego, and what can be done. */
export function VehicleActions({ rego, page, mayRemove }: { rego: string; page: string; mayRemove: boolean }) {
  return (
    <div className="no-print flex flex-wrap items-center justify-between gap-3">
      <p className="text-xl font-bold">{rego}</p>
      <div className="flex flex-wrap gap-3">
        <GoBack fallback="/dashboard" />
        {mayRemove ? (
          <Link to={`/vehicles/delete/${rego}`} className="button-look button-secondary" aria-label={`Delete ${rego}`}>
            <Trash2 size={18} aria-hidden="true" />
            Delete
          </Link>
        ) : null}
        <Link to={`/vehicles/update/${rego}`} className="button-look button-secondary">
          <Pencil size={18} aria-hidden="true" />
          Edit
        </Link>
        <Link to={`/vehicles/calibrate/${rego}`} className="button-look button-secondary">
          <Gauge size={18} aria-hidden="true" />
          Calibrate all axles
        </Link>
        <Link to={`${page}?calibrate`} preventScrollReset className="button-look button-primary">
          <Gauge size={18} aria-hidden="true" />
          Calibrate
        </Link>
      </div>
    </div>
  );
}
