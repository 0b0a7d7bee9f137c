import { useEffect } from 'react';
import { useFetcher } from 'react-router';
import { IfMay } from '#app/access/use-may.tsx';
import { Card } from '#app/ui/card.tsx';
import { FactList } from '#app/ui/fact-list.tsx';
import { failureText, type FormAnswer } from '#app/ui/form-answer.ts';
import { showToast } from '#app/ui/toasts.ts';
import type { OfficePart } from './office-part.server.ts';

/** What only people signed in see: the driver, the notes, who added and updated, who validated. */
export function OfficeCard({ rego, office }: { rego: string; office: OfficePart }) {
  return (
    <Card title="Office only" id="office" aside={<span className="text-sm text-ink-2">Not public</span>}>
      <FactList
        facts={[
          ...office.facts.map(({ label, value, kind }) => ({
            label,
            value: kind === 'text' ? <span className="whitespace-pre-line">{value || 'N/A'}</span> : value,
          })),
          { label: 'Added', value: office.added },
          { label: 'Updated', value: office.updated },
          { label: 'Validation', value: office.validation?.words ?? null },
          ...(office.validation === null || office.validation.reason === ''
            ? []
            : [{ label: 'Reason', value: office.validation.reason }]),
        ]}
      />
      <div className="no-print flex flex-wrap items-center gap-x-4 border-t border-line px-5 py-2">
        {office.hasLabel ? (
          <>
            <span>Label for the truck</span>
            <a
              href={`/vehicles/label/${rego}.pdf`}
              className="inline-flex min-h-11 items-center font-semibold"
              download
            >
              PDF
            </a>
            <a
              href={`/vehicles/label/${rego}.svg`}
              className="inline-flex min-h-11 items-center font-semibold"
              download
            >
              SVG
            </a>
          </>
        ) : (
          <p className="py-2 text-sm text-ink-2">
            No label can be made: this registry has no public address that a phone could open (PUBLIC_URL).
          </p>
        )}
      </div>
      <IfMay to="validate vehicles">
        <Decision rego={rego} office={office} />
      </IfMay>
    </Card>
  );
}

function Decision({ rego, office }: { rego: string; office: OfficePart }) {
  const { Form, data } = useFetcher<FormAnswer>();
  useEffect(() => {
    if (data?.failure !== undefined) showToast({ kind: 'error', text: failureText(data.failure) });
    // The message comes as data, because the router drops a fetcher's redirect when a live update reloads the page.
    if (data?.saved !== undefined) showToast(data.saved.flash);
  }, [data]);
  return (
    <Form
      method="post"
      action={`/vehicles/validate/${rego}`}
      className="no-print flex flex-wrap items-end gap-3 border-t border-line px-5 py-4"
    >
      <input type="hidden" name="form_key" value={office.decideKey} />
      <input type="hidden" name="validated" value={office.validated ? 'no' : 'yes'} />
      <label className="grid min-w-0 grow gap-1 text-sm font-semibold">
        Reason (optional)
        <input name="reason" maxLength={500} className="field-box font-normal" autoComplete="off" />
      </label>
      <button type="submit" className="button-look button-secondary">
        {office.validated ? 'Withdraw validation' : 'Validate'}
      </button>
    </Form>
  );
}

/** Who changed what, field by field, the latest first. */
export function ChangeHistory({ changes }: { changes: OfficePart['changes'] }) {
  return (
    <Card title="Changes" id="changes">
      {changes.length === 0 ? (
        <p className="px-5 py-4 text-ink-2">Nothing has been changed yet.</p>
      ) : (
        <ol className="px-5 py-2">
          {changes.map(({ index, words, by, when, fields }) => (
            <li key={index} className="border-b border-line py-2.5 last:border-b-0">
              <p className="flex flex-wrap items-baseline gap-x-3">
                <span className="font-semibold">{words}</span>
                <span className="min-w-0 text-sm wrap-anywhere text-ink-2">{`${when} by ${by}`}</span>
              </p>
              {fields.map(({ label, from, to }) => (
                <p key={label} className="wrap-anywhere">
                  {`${label}: `}
                  <del className="text-ink-3">{from}</del>
                  {' → '}
                  <ins className="no-underline">{to}</ins>
                </p>
              ))}
            </li>
          ))}
        </ol>
      )}
    </Card>
  );
}
