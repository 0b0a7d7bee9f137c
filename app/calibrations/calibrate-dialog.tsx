// The calibration modal. It stays open after each entry: value and due date are cleared, the axle stays, and the attribute
// and the focus go on to the next reading.
import Check from 'lucide-react/icons/check';
import Minus from 'lucide-react/icons/minus';
import { useEffect, useRef, useState } from 'react';
import { Link, useFetcher, useSearchParams } from 'react-router';
import { useIsArrival } from '#app/ui/arrival.tsx';
import { keepTyped } from '#app/ui/keep-typed.ts';
import type { FormAnswer } from '#app/ui/form-answer.ts';
import { Note } from '#app/ui/note.tsx';
import { NotSavedBar } from '#app/ui/not-saved-bar.tsx';
import { FLASH_MESSAGES } from '#app/forms/flash-messages.ts';
import { Sheet } from '#app/ui/sheet.tsx';
import { showToast } from '#app/ui/toasts.ts';
import { Plate } from '#app/vehicles/plate.tsx';
import { AXLES, CALIBRATION_ATTRIBUTES } from './calibration.ts';
import { EntryFields, type EntryValues } from './entry-fields.tsx';
import type { Reading } from './entry-slips.ts';
import { useEntryJudgement, type EntryAnswer } from './use-entry-judgement.ts';

/** What came of a try. */
export type CalibrateAnswer =
  | { recorded: true; key: string; axle: string; attribute: string; next: string | undefined }
  | ({ recorded: false; values: EntryValues; failure: string | null } & EntryAnswer & Pick<FormAnswer, 'lost'>);

export type CalibrateEntry = {
  formKey: string;
  vin: string;
  suggestedDue: { day: string; label: string };
  enteredToday: readonly string[];
  /** What the same person recorded of this truck in these hours: the next value is held against it. */
  beside: readonly Reading[];
};

/** Sends an entry by `send`; what does not arrive stays as it was typed. */
export function sendEntry<Sent>(request: Request, send: () => Promise<Sent>) {
  return keepTyped(request, send, ({ typed, lost, cause }): CalibrateAnswer => ({
    recorded: false,
    values: typed,
    errors: {},
    failure: `Error added item: ${cause}`,
    ...(lost === undefined ? {} : { lost }),
  }));
}

export function CalibrateDialog({
  rego,
  page,
  entry,
  answer: documentAnswer,
}: {
  rego: string;
  page: string;
  entry: CalibrateEntry;
  answer: CalibrateAnswer | undefined;
}) {
  const fetcher = useFetcher<CalibrateAnswer>();
  const form = useRef<HTMLFormElement>(null);
  const handled = useRef<string>(undefined);
  // Kept until the entry is recorded, also when the page behind is reloaded: sent again, it is the same entry.
  const [formKey, setFormKey] = useState(entry.formKey);
  const isArrival = useIsArrival();
  const [query] = useSearchParams();
  const answer = fetcher.data ?? (isArrival ? documentAnswer : undefined);
  const refused = answer?.recorded === false ? answer : undefined;
  const { errors, slips, onBlur, onInput } = useEntryJudgement(refused, entry.beside);
  // Recorded is recorded: the next value need not wait for the page behind to be reloaded.
  const busy = fetcher.state === 'submitting';

  const { data } = fetcher;
  useEffect(() => {
    if (data === undefined) return;
    const field = (selector: string) => form.current?.querySelector<HTMLInputElement>(selector);
    if (!data.recorded) {
      if (data.failure !== null) showToast({ kind: 'error', text: data.failure });
      // Where nothing came back, the bar that says so has the focus.
      if (data.lost === undefined)
        (field('[aria-invalid="true"], [data-invalid="true"]') ?? field('input[name="value"]'))?.focus();
      return;
    }
    // Once an answer: what is typed after it must not be cleared when the router hands the same answer over again.
    if (handled.current === data.key) return;
    handled.current = data.key;
    setFormKey(data.key);
    showToast(FLASH_MESSAGES['entry-added']);
    for (const name of ['value', 'due_date']) {
      const input = field(`input[name="${name}"]`);
      if (input == null) continue;
      input.value = '';
      input.dispatchEvent(new Event('input', { bubbles: true }));
    }
    // On to the next reading of the axle, unless another one was chosen meanwhile; with all four, on to the next axle.
    const chosen = field('input[name="attribute"]:checked');
    if (chosen?.value !== data.attribute || field('input[name="axle"]:checked')?.value !== data.axle) return;
    if (data.next === undefined) return field('input[name="axle"]:checked')?.focus();
    field(`input[name="attribute"][value="${data.next}"]`)?.click();
    field('input[name="value"]')?.focus();
  }, [data]);

  return (
    <Sheet
      titleId="calibrate-title"
      closeTo={page}
      unsaved="This entry is not recorded yet."
      title={
        <>
          Calibrate
          <span className="block w-28">
            <Plate rego={rego} />
          </span>
        </>
      }
    >
      <fetcher.Form
        ref={form}
        method="post"
        action={`${page}?calibrate`}
        className="contents"
        noValidate
        onBlur={onBlur}
        onInput={onInput}
      >
        <div className="grid grid-cols-1 gap-5 overflow-y-auto p-5">
          {refused?.failure == null || !isArrival ? null : <Note kind="error">{refused.failure}</Note>}
          <p className="text-lg font-bold wrap-anywhere">
            {`${rego} · VIN `}
            <span className="font-mono">{entry.vin === '' ? 'N/A' : entry.vin}</span>
          </p>
          <input type="hidden" name="rego" value={rego} />
          <input type="hidden" name="form_key" value={formKey} />
          <EntryFields
            values={refused?.values ?? chosenIn(query)}
            errors={errors}
            slips={slips}
            dueHint="Optional"
            suggestedDue={entry.suggestedDue}
          />
          <EnteredToday entered={entry.enteredToday} />
        </div>
        <NotSavedBar answer={refused} />
        <footer className="flex justify-end gap-3 border-t border-line bg-sunken px-5 py-3 max-sm:grid max-sm:grid-cols-2">
          <Link to={page} preventScrollReset className="button-look button-secondary">
            Close
          </Link>
          <button
            type="submit"
            className="button-look button-primary"
            aria-disabled={busy || undefined}
            onClick={(event) => {
              if (busy) event.preventDefault();
            }}
          >
            {busy ? 'Uploading data...' : 'Add entry'}
          </button>
        </footer>
      </fetcher.Form>
    </Sheet>
  );
}

// Without scripts the page leads to the next reading by its address.
const chosenIn = (query: URLSearchParams): EntryValues => ({
  axle: query.get('axle') ?? '',
  attribute: query.get('attribute') ?? '',
});

function EnteredToday({ entered }: { entered: readonly string[] }) {
  return (
    <table className="w-full border-collapse rounded-md border border-line text-sm">
      <caption className="pb-1.5 text-left text-base font-semibold">Entered today</caption>
      <thead className="border-b border-line bg-sunken max-row:text-xs">
        <tr>
          <th scope="col" className="px-3 py-2 max-row:px-1.5">
            Axle
          </th>
          {CALIBRATION_ATTRIBUTES.map(({ attribute }) => (
            <th key={attribute} scope="col" className="px-1 py-2 text-center max-row:px-0.5">
              {attribute}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {AXLES.map(({ axle, label }) => (
          <tr key={axle} className="border-b border-line last:border-b-0">
            <th scope="row" className="px-3 py-1.5 max-row:px-1.5">
              {label}
            </th>
            {CALIBRATION_ATTRIBUTES.map(({ attribute }) => {
              const isEntered = entered.includes(`${axle} ${attribute}`);
              const Icon = isEntered ? Check : Minus;
              return (
                <td key={attribute} className="px-1 py-1.5">
                  <Icon size={18} aria-hidden="true" className="mx-auto" />
                  <span className="sr-only">{isEntered ? 'entered' : 'not yet'}</span>
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
