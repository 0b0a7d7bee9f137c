// The calibration dialog. It stays open after each entry: it clears the value and the due date, keeps the axle, selects
// the next attribute and focuses the value.
import Check from 'lucide-react/icons/check';
import Minus from 'lucide-react/icons/minus';
import { useLayoutEffect, useRef, useState } from 'react';
import { Link, useFetcher, useSearchParams } from 'react-router';
import { ButtonLink } from '#app/ui/button-link.tsx';
import { useIsArrival } from '#app/ui/arrival.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import { failureText, type FormAnswer } from '#app/ui/form-answer.ts';
import { NewVersionNote } from '#app/ui/new-version-note.tsx';
import { Note } from '#app/ui/note.tsx';
import { NotSavedBar } from '#app/ui/form-notes.tsx';
import { FAILURES } from '#app/forms/failures.ts';
import { FLASH_MESSAGES } from '#app/forms/flash-messages.ts';
import { Sheet } from '#app/ui/sheet.tsx';
import { showToast } from '#app/ui/toasts.ts';
import { Plate } from '#app/vehicles/plate.tsx';
import { axleLabel, USUAL_AXLES, type Axle } from '#app/vehicles/axle.ts';
import { CALIBRATION_ATTRIBUTES } from '#app/readings/calibration.ts';
import type { CalibrationField } from './calibration-entry.ts';
import { EntryFields, type EntryValues } from './entry-fields.tsx';
import type { Beside, Slip } from './entry-slips.ts';
import { ConfirmTruck, OpenVisitPanel, OutcomeNote } from './own-visit-note.tsx';
import type { OwnVisit } from './own-visit.ts';
import { useEntryRemarks } from './use-entry-remarks.ts';
import { flashOf, type VisitOutcome } from '#app/visits/visit-outcome.ts';

/**
 * The result of sending an entry: the likely slips, or the recorded reading. `key`: the next entry's idempotency key.
 */
export type EntryMore = {
  slips?: readonly Slip[];
  recorded?: {
    key: string;
    axle: string;
    attribute: string;
    next: string | undefined;
    /** What became of the visit, if the entry completed it. */
    outcome: VisitOutcome | undefined;
  };
  /** The visit that was finished. */
  finished?: { key: string; visitId: string; outcome: VisitOutcome };
};
export type CalibrateAnswer = FormAnswer<CalibrationField, EntryMore>;

export type CalibrateEntry = {
  idempotencyKey: string;
  finishKey: string;
  vin: string;
  suggestedDue: { day: string; label: string };
  enteredToday: readonly string[];
  /** What the same person recorded of this truck during the visit. The next value is checked against it. */
  beside: Beside;
  /** The groups of the truck; none where they are not known. */
  axles: readonly Axle[];
  /** Their visit on this truck: open, or closed a short time ago. */
  visit: OwnVisit | null;
};

const FINISH_FORM = 'finish-visit';

/** Sends an entry. If the request fails, the typed values stay. */
export const sendEntry = <Sent,>(sending: { request: Request; serverAction: () => Promise<Sent> }) =>
  sendForm(sending, FAILURES.calibration);

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
  // The key stays until the entry is recorded, even if the page behind reloads. So an entry that is sent again is
  // recorded once.
  const [idempotencyKey, setIdempotencyKey] = useState(entry.idempotencyKey);
  const isArrival = useIsArrival();
  const [query] = useSearchParams();
  const answer = fetcher.data ?? (isArrival ? documentAnswer : undefined);
  const refused = answer?.more?.recorded === undefined ? answer : undefined;
  const { errors, slips, onBlur, onInput } = useEntryRemarks(refused, entry.beside);
  const { data } = fetcher;
  // Only until the answer is here: the next value need not wait until the page behind has reloaded. The router shows
  // the answer before it says that the form is no longer being submitted.
  const [dataBefore, setDataBefore] = useState(data);
  const busy = fetcher.state === 'submitting' && data === dataBefore;

  const finish = useFetcher<CalibrateAnswer>();
  const [finishKey] = useState(entry.finishKey);
  const finished = finish.data?.more?.finished;
  // The answer is newer than the page, which reloads after it.
  const closed = [answer?.more?.recorded?.outcome, finished?.outcome].find((one) => one !== undefined);
  const open = entry.visit?.state === 'open' && entry.visit.id !== finished?.visitId ? entry.visit : undefined;
  const lastOutcome = entry.visit?.state === 'closed' ? entry.visit.outcome : closed;
  const outcome = open === undefined ? lastOutcome : undefined;

  // Before the answer is drawn: anybody who sees it may type the next value and press Enter at once. That value must
  // not be cleared, nor sent with the last one's key.
  useLayoutEffect(() => {
    if (data === undefined) return;
    const field = (selector: string) => form.current?.querySelector<HTMLInputElement>(selector);
    const recorded = data.more?.recorded;
    if (recorded === undefined) {
      if (data.failure !== undefined) showToast({ kind: 'error', text: failureText(data.failure) });
      // If no answer arrived, the bar that says so takes the focus.
      if (data.lost === undefined)
        (field('[aria-invalid="true"], [data-invalid="true"]') ?? field('input[name="value"]'))?.focus();
      return;
    }
    // The router can deliver the same answer again. It must not clear what was typed since.
    if (handled.current === recorded.key) return;
    handled.current = recorded.key;
    setIdempotencyKey(recorded.key);
    showToast(FLASH_MESSAGES[flashOf(recorded.outcome)]);
    for (const name of ['value', 'due_date']) {
      const input = field(`input[name="${name}"]`);
      if (input == null) continue;
      input.value = '';
      input.dispatchEvent(new Event('input', { bubbles: true }));
    }
    // Select the next reading of the axle, unless the user chose another one meanwhile. After all four, focus the axle.
    const chosen = field('input[name="attribute"]:checked');
    if (chosen?.value !== recorded.attribute || field('input[name="axle"]:checked')?.value !== recorded.axle) return;
    if (recorded.next === undefined) return field('input[name="axle"]:checked')?.focus();
    field(`input[name="attribute"][value="${recorded.next}"]`)?.click();
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
        onSubmit={() => setDataBefore(data)}
        onBlur={onBlur}
        onInput={onInput}
      >
        <div className="grid grid-cols-1 gap-5 overflow-y-auto p-5">
          <NewVersionNote />
          <Refusal answer={refused} isArrival={isArrival} />
          <p className="text-lg font-bold wrap-anywhere">
            {`${rego} · VIN `}
            <span className="font-mono">{entry.vin === '' ? 'N/A' : entry.vin}</span>
          </p>
          {outcome === undefined ? null : <OutcomeNote outcome={outcome} />}
          {open === undefined ? null : <OpenVisitPanel visit={open} finishing={FINISH_FORM} />}
          {finish.data?.failure === undefined ? null : <Note kind="error">{failureText(finish.data.failure)}</Note>}
          {open?.isConfirmed === true ? null : (
            <ConfirmTruck vin={entry.vin} isGiven={refused?.values.confirmed === 'yes'} />
          )}
          <input type="hidden" name="rego" value={rego} />
          <input type="hidden" name="form_key" value={idempotencyKey} />
          <EntryFields
            groupDetails={entry.beside.groupDetails}
            axles={entry.axles}
            values={refused?.values ?? chosenIn(query)}
            errors={errors}
            slips={slips}
            dueHint="Needed for the visit to count"
            suggestedDue={entry.suggestedDue}
          />
          <EnteredToday entered={entry.enteredToday} axles={entry.axles.length === 0 ? USUAL_AXLES : entry.axles} />
        </div>
        <NotSavedBar answer={refused} />
        <footer className="flex justify-end gap-3 border-t border-line bg-sunken px-5 py-3 max-sm:grid max-sm:grid-cols-2">
          <ButtonLink to={page} preventScrollReset>
            Close
          </ButtonLink>
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
      {open === undefined ? null : (
        <finish.Form id={FINISH_FORM} method="post" action={`${page}?calibrate`} hidden>
          <input type="hidden" name="intent" value="finish" />
          <input type="hidden" name="rego" value={rego} />
          <input type="hidden" name="visit" value={open.id} />
          <input type="hidden" name="form_key" value={finishKey} />
        </finish.Form>
      )}
    </Sheet>
  );
}

// With scripts a refusal is a toast, unless it leads somewhere. A lost answer has its own bar.
function Refusal({ answer, isArrival }: { answer: CalibrateAnswer | undefined; isArrival: boolean }) {
  const { failure, link, lost } = answer ?? {};
  if (failure === undefined || lost !== undefined || (link === undefined && !isArrival)) return null;
  return (
    <Note kind="error">
      {failureText(failure)} {link === undefined ? null : <Link to={link.href}>{link.label}</Link>}
    </Note>
  );
}

// Without scripts the URL says which reading is next.
const chosenIn = (query: URLSearchParams): EntryValues => ({
  axle: query.get('axle') ?? '',
  attribute: query.get('attribute') ?? '',
});

function EnteredToday({ entered, axles }: { entered: readonly string[]; axles: readonly Axle[] }) {
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
        {axles.map((axle) => (
          <tr key={axle} className="border-b border-line last:border-b-0">
            <th scope="row" className="px-3 py-1.5 max-row:px-1.5">
              {axleLabel(axle)}
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
