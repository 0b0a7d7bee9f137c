import { href, Link } from 'react-router';
import type { EvidenceLine, EvidenceNote } from '#app/visits/evidence-words.ts';
import { RowIcon } from '#app/ui/row-icon.tsx';

/** Under the verdict, in one line: what it rests on. */
export function EvidenceStrip({ line: { look, lead, rest } }: { line: EvidenceLine }) {
  return (
    <p className="flex gap-3 bg-sunken px-5 py-3 max-row:px-4">
      <RowIcon name={look === 'checked' ? 'check' : 'info'} className="row-icon mt-0.5 size-5 text-ink-2" />
      <span className="min-w-0 wrap-anywhere">
        <strong>{lead}</strong>
        {rest}
      </span>
    </p>
  );
}

/** A visit that changes nothing, or not yet. It never has a verdict's colour. */
export function EvidenceNoteStrip({ note: { lead, rest, card, referenceId } }: { note: EvidenceNote }) {
  return (
    <p className="flex gap-3 bg-info-soft px-5 py-3 text-info-text max-row:px-4">
      <RowIcon name="info" className="row-icon mt-0.5 size-5" />
      <span className="min-w-0 wrap-anywhere">
        <strong>{lead}</strong> {rest}
        {card === null ? null : (
          <>
            {' '}
            <a href={`#${card}`} className="no-print link-in-text inline-flex min-h-11 items-center">
              See the visit
            </a>
          </>
        )}
        {referenceId == null ? null : (
          <>
            {' '}
            <Link
              to={href('/references/:id', { id: referenceId })}
              className="no-print link-in-text inline-flex min-h-11 items-center"
            >
              See the weighbridge
            </Link>
          </>
        )}
      </span>
    </p>
  );
}
