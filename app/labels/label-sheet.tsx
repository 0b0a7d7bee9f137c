import QrCode from 'lucide-react/icons/qr-code';
import { listOptions, type VehicleListQuery } from '#app/vehicles/list-query.ts';
import { ListOptions } from '#app/vehicles/list-options.tsx';
import { LABELS_MAX } from './label.ts';

/** The id of the form that the boxes of the list's rows belong to. */
export const LABEL_FORM = 'labels';

/** Requests a sheet of labels for the ticked vehicles, or for all that the list finds if none is ticked. */
export function LabelSheet({ query, total }: { query: VehicleListQuery; total: number }) {
  return (
    <form id={LABEL_FORM} action="/vehicles/labels.pdf" className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <ListOptions options={listOptions(query)} />
      <button type="submit" className="button-look button-secondary">
        <QrCode size={18} aria-hidden="true" />
        Labels
      </button>
      <p className="text-sm text-ink-2">
        {total > LABELS_MAX
          ? `Prints ticked vehicles, or all results (up to ${LABELS_MAX}). This list has more: tick some, or narrow it.`
          : `Prints ticked vehicles, or all results (up to ${LABELS_MAX}). A4 PDF.`}
      </p>
    </form>
  );
}

export function NoLabels() {
  return (
    <p className="text-sm text-ink-2">
      Labels need a public web address. Ask whoever runs this registry to set PUBLIC_URL.
    </p>
  );
}
