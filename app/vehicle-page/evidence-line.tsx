import { Fragment } from 'react';
import { Link } from 'react-router';
import type { EvidenceLine, EvidenceNote } from '#app/visits/evidence-words.ts';
import { RowIcon } from '#app/ui/row-icon.tsx';

/** Under the verdict, in one line: what it rests on. */
export function EvidenceStrip({ line: { look, lead, rest } }: { line: EvidenceLine }) {
  return (
    <p className="evidence-line bg-sunken">
      <RowIcon name={look === 'checked' ? 'check' : 'info'} className="row-icon text-ink-2" />
      <span>
        <strong>{lead}</strong>
        {rest}
      </span>
    </p>
  );
}

/** A visit that changes nothing, or not yet, or what stood beside the vehicle. It never has a verdict's colour. */
export function EvidenceNoteStrip({ note: { quiet, look, lead, rest, card, link } }: { note: EvidenceNote }) {
  return (
    <p className={quiet ? 'evidence-line' : 'evidence-line note-info'}>
      <RowIcon name={quiet ?? (look === 'report' ? 'flag' : 'info')} className="row-icon" />
      <span>
        <strong>{lead}</strong> {rest}
        {[{ to: card === null ? '' : `#${card}`, words: 'See the visit' }, link ?? { to: '', words: '' }].map(
          ({ to, words }) =>
            to && (
              <Fragment key={to}>
                {' '}
                <Link to={to} className="no-print link-in-text inline-flex min-h-11 items-center">
                  {words}
                </Link>
              </Fragment>
            ),
        )}
      </span>
    </p>
  );
}
