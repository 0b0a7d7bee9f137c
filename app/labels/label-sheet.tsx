import QrCode from 'lucide-react/icons/qr-code';
import { LABELS_MAX } from './label.ts';

/** Within the list's form: asks for labels for the ticked vehicles, or if none is ticked for all that it finds. */
export function LabelSheet({ total }: { total: number }) {
  return (
    <>
      <button type="submit" formAction="/vehicles/labels.pdf" className="button-look button-secondary">
        <QrCode size={18} aria-hidden="true" />
        Labels
      </button>
      <p className="text-sm text-ink-2">
        {total > LABELS_MAX
          ? `Prints ticked vehicles, or all results (up to ${LABELS_MAX}). This list has more: tick some, or narrow it.`
          : `Prints ticked vehicles, or all results (up to ${LABELS_MAX}). A4 PDF.`}
      </p>
    </>
  );
}

export function NoLabels() {
  return (
    <p className="text-sm text-ink-2">
      Labels need a public web address. Ask the people who run this registry to set PUBLIC_URL.
    </p>
  );
}
