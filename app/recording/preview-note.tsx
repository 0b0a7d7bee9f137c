// What the form for all axles says of the visit that is typed, above its button.
import ChevronUp from 'lucide-react/icons/chevron-up';
import Smartphone from 'lucide-react/icons/smartphone';
import { Fragment, useEffect } from 'react';
import { axleLabel, type Axle } from '#app/vehicles/axle.ts';
import { asFoundId, axleId } from './axle-fields.tsx';
import { StateIcon } from './own-visit-note.tsx';
import { nameOf, type GridField } from '#app/readings/set-grid.ts';
import { previewLine, previewWords, type VisitPreview } from '#app/visits/visit-outcome.ts';

/** What would become of a set if it were saved as typed: one line, so that it hides no field. Its reasons open. */
export function PreviewNote({ preview, isOpen }: { preview: VisitPreview; isOpen: boolean }) {
  const line = previewLine(preview);
  const { lead, rest } = previewWords(preview, 'This visit');
  // The bar appears while one types: what has the focus stays above it.
  useEffect(() => {
    document.activeElement?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <details className="group min-w-0" open={isOpen}>
      <summary className="flex min-h-11 list-none items-center gap-3 [&::-webkit-details-marker]:hidden">
        <StateIcon state={preview.state} />
        <span role="status" className="min-w-0 grow truncate">
          <strong>{line.lead}</strong> {line.rest}
        </span>
        <ChevronUp size={20} aria-hidden="true" className="shrink-0 group-open:rotate-180" />
      </summary>
      <div className="form-foot-part wrap-anywhere">
        <p>
          <strong>{lead}</strong> {rest}
        </p>
        <p className="flex flex-wrap gap-x-5">
          {preview.groups.map(({ axle, differs }) => (
            <Fragment key={axle}>
              {differs ? <GoTo axle={axle} field="as_found_empty">{`Add as found of ${axleLabel(axle)}`}</GoTo> : null}
              <GoTo axle={axle} field="empty_volt">{`Go to ${axleLabel(axle)}`}</GoTo>
            </Fragment>
          ))}
        </p>
      </div>
    </details>
  );
}

/** A link to a field of an axle. With scripts it gets the focus. */
function GoTo({ axle, field, children }: { axle: Axle; field: GridField; children: string }) {
  return (
    <a
      href={`#${field === 'as_found_empty' ? asFoundId(axle) : axleId(axle)}`}
      className="inline-flex min-h-11 items-center"
      onClick={(event) => {
        const input = document.querySelector<HTMLElement>(`main input[name="${nameOf(axle, field)}"]`);
        if (input === null) return;
        event.preventDefault();
        input.closest('details')?.setAttribute('open', '');
        input.focus();
      }}
    >
      {children}
    </a>
  );
}

/** Of a visit that is typed on a phone, in place of its preview: nobody judges it before it is sent. */
export const KeptNote = ({ hasSignal }: { hasSignal: boolean }) => (
  <p role="status" className="flex min-h-11 items-center gap-3">
    <Smartphone size={18} aria-hidden="true" className="shrink-0" />
    <span>
      <strong>Kept on this phone:</strong> {hasSignal ? 'sent once saved' : 'no signal'}
    </span>
  </p>
);
