// The form of a whole calibration set. A phone shows the axles one below the other, a desktop shows a grid of axles and
// readings. The typed values stay after every refusal and every dropped connection.
import { useState, type ComponentProps, type ReactNode } from 'react';
import { Form, href } from 'react-router';
import { Choice } from '#app/ui/choice.tsx';
import { TextAreaField, TextField, useFocusOnError } from '#app/ui/field.tsx';
import { FormNotes, NotSavedBar, useLatestAnswer } from '#app/ui/form-notes.tsx';
import { GoBack } from '#app/ui/go-back.tsx';
import { NewVersionNote } from '#app/ui/new-version-note.tsx';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import { UploadField } from '#app/ui/upload-field.tsx';
import { useDraft } from '#app/ui/use-draft.ts';
import { usePoorLine } from '#app/ui/use-poor-line.ts';
import { useSaved } from '#app/ui/use-saved.ts';
import { zoneOfLine } from '#app/references/reference.ts';
import { ReferenceField, type FindReferences } from '#app/references/reference-field.tsx';
import { days } from '#app/policy/policy.ts';
import { KeptNote, PreviewNote } from './preview-note.tsx';
import { GroupGrid } from './group-grid.tsx';
import { ConfirmSlips } from './confirm-slips.tsx';
import { SealsFields } from './seals-fields.tsx';
import type { SetAnswer } from './set-answer.ts';
import { TruckConfirmation } from './truck-confirmation.tsx';
import { useSetRemarks } from './use-set-remarks.ts';
import { usePreview } from './use-preview.ts';
import type { OpenedUnit } from './opened-unit.ts';
import { WeighedHow } from './weighings-fields.tsx';
import { WeighedWith } from './weighed-with.tsx';
import { VisitTime } from './visit-time.tsx';

const PHOTO_MAX_BYTES = 15 * 1024 * 1024;
export const PHOTO_TYPES = 'image/jpeg,image/png,image/webp';
export const PHOTO_HINT = 'The weighbridge ticket or the display. The photo is public: no faces, names or signatures.';

export type OpenedSet = OpenedUnit & {
  idempotencyKey: string;
  draftKey: string;
  visitDate: string;
  /** The registry's. */
  zone: string;
  dueDate: string;
  intervalDays: number;
  longestIntervalDays: number;
  /** Trailers that the form opens with, beside the truck. */
  units?: readonly OpenedUnit[];
};

/** What differs on a phone without reception: the visit is kept there, and nothing is asked of the registry. */
export type OnPhone = {
  /** In place of asking the registry: adds the trailer that is typed. */
  onAddUnit: (form: FormData) => void;
  /** In place of sending. */
  onSave: (form: FormData) => void;
  /** After each change. */
  onTyped: (form: FormData) => void;
  photo: ReactNode;
  /** A photo is being judged: the visit is not saved before. */
  isBusy: boolean;
  findReferences: FindReferences;
  /** Where 'Go Back' leads. */
  back: string;
};

/** With reception. `onKeep`: keeps on the phone what could not be sent; undefined: not possible. */
export type Online = Pick<ComponentProps<typeof UploadField>, 'onChosen' | 'restored'> & {
  onKeep: ((form: FormData) => void) | undefined;
};

export function SetForm({
  loaded,
  actionAnswer,
  onPhone,
  online,
}: {
  loaded: OpenedSet;
  actionAnswer: SetAnswer | undefined;
  onPhone?: OnPhone;
  online?: Online;
}) {
  // The values from when the form was opened. They include the idempotency key, so a set that is sent again after a
  // lost answer is recorded once.
  const [opened] = useState(loaded);
  const answer = useLatestAnswer(actionAnswer);
  const { values, errors, warnings, codes, onBlur, onInput } = useSetRemarks(answer, opened.longestIntervalDays);
  const form = useFocusOnError(answer);
  const { restored, keep } = useDraft(form, opened.draftKey, {
    isKept: isInDraft,
    hidden: 'form_key',
    isSaved: answer?.saved !== undefined,
  });
  const { preview, ask } = usePreview(
    href('/vehicles/calibrate/:rego/preview', { rego: opened.rego }),
    answer?.more?.preview,
  );
  const [photosBusy, setPhotosBusy] = useState(0);
  const isPoor = usePoorLine(photosBusy);
  const onKeep = online?.onKeep;
  const keepButton =
    onKeep === undefined ? null : (
      <button
        type="button"
        className="button-look button-secondary"
        onClick={() => form.current !== null && onKeep(new FormData(form.current))}
      >
        Keep on this phone
      </button>
    );
  useSaved(answer?.saved);
  // The weighbridge of the register that was chosen since; '' of one that is not in it.
  const [line, setLine] = useState<string>();
  const taken = answer?.more?.zone;
  const known = line === undefined && taken !== opened.zone ? taken : undefined;
  const axles = answer?.more?.axles ?? opened.axles;
  const at = (name: string, first?: string) => ({
    name,
    defaultValue: values[name] ?? first,
    error: errors[name],
    warning: warnings[name],
  });
  return (
    <main id="main" className="max-w-200">
      <h1 className="pb-5 text-xl">Calibrate all axles</h1>
      {onPhone === undefined ? null : <NewVersionNote />}
      <FormNotes
        answer={answer}
        meanwhile={
          restored !== undefined ? 'What you typed before has been filled in. Confirm the truck again.' : undefined
        }
      />
      <Form
        ref={form}
        method="post"
        encType="multipart/form-data"
        className="grid grid-cols-[minmax(0,1fr)] gap-5"
        noValidate
        onBlur={onBlur}
        onInput={(event) => {
          onInput(event);
          if (onPhone !== undefined) return onPhone.onTyped(new FormData(event.currentTarget));
          keep();
          ask(event.currentTarget);
        }}
        onSubmit={(event) => {
          if (onPhone === undefined) return;
          event.preventDefault();
          const form = new FormData(event.currentTarget);
          const { submitter } = event.nativeEvent instanceof SubmitEvent ? event.nativeEvent : {};
          if (submitter instanceof HTMLButtonElement && submitter.value === 'add-unit') return onPhone.onAddUnit(form);
          onPhone.onSave(form);
        }}
      >
        <input type="hidden" name="form_key" value={restored?.get('form_key') ?? opened.idempotencyKey} />
        <input type="hidden" name="rego" value={opened.rego} />
        <input type="hidden" name="vin" value={opened.vin} />
        <TruckConfirmation opened={opened} isGiven={values['confirmed'] === 'yes'} error={errors['confirmed']} />
        <Section title="Visit">
          <VisitTime
            day={at('visit_date', opened.visitDate)}
            time={at('visit_time')}
            restored={restored}
            place={zoneOfLine(line ?? lineIn((name) => restored?.get(name) ?? values[name])) ?? known}
            zone={opened.zone}
          />
          <ReferenceField
            defaultValue={values['weighbridge']}
            defaultId={values['reference_id']}
            error={errors['weighbridge']}
            warning={warnings['weighbridge']}
            find={onPhone?.findReferences}
            onLine={setLine}
          />
          <TextField
            {...at('ticket_number')}
            label="Ticket number (optional)"
            hint="As printed on the ticket."
            maxLength={60}
          />
          <div className="sm:col-span-2">
            <Choice
              name="lift_axle"
              legend="Lift axle during calibration (optional)"
              options={[
                { value: 'none', label: 'Not fitted' },
                { value: 'raised', label: 'Raised' },
                { value: 'lowered', label: 'Lowered' },
              ]}
              columns="three"
              defaultValue={values['lift_axle']}
              error={errors['lift_axle']}
            />
          </div>
        </Section>
        <WeighedHow values={values} errors={errors} warnings={warnings} />
        <GroupGrid opened={opened} axles={axles} form={form} values={values} errors={errors} warnings={warnings} />
        {opened.kind !== '' ? null : (
          <WeighedWith
            units={answer?.more?.units ?? opened.units ?? []}
            values={values}
            errors={errors}
            warnings={warnings}
          />
        )}
        <SealsFields values={values} errors={errors} />
        <Section title="Next calibration and evidence">
          <TextField
            {...at('due_date', opened.dueDate)}
            label="Calibration due date"
            hint={`Needed for the visit to count. Suggested: in ${days(opened.intervalDays)}.`}
            type="date"
          />
          <div className="sm:col-span-2">
            {onPhone?.photo ?? (
              <UploadField
                name="photo"
                label="Photos (optional)"
                multiple
                hint={PHOTO_HINT}
                accept={PHOTO_TYPES}
                maxBytes={PHOTO_MAX_BYTES}
                kind="photo"
                waiting={answer?.temporaryUploads?.['photo']}
                error={answer?.fileErrors?.['photo']}
                onBusy={setPhotosBusy}
                onChosen={online?.onChosen}
                restored={online?.restored}
              />
            )}
          </div>
          <div className="sm:col-span-2">
            <TextAreaField
              {...at('notes')}
              label="Notes (optional)"
              hint="Only people who are signed in can see this."
              maxLength={2000}
            />
          </div>
        </Section>
        {codes === '' ? null : (
          <ConfirmSlips
            key={codes}
            codes={codes}
            found="Some values look like slips. They are marked above."
            confirm="These readings are correct: record them"
          />
        )}
        <div className={preview === undefined && onPhone === undefined ? '' : 'form-foot'}>
          {onPhone === undefined ? null : <KeptNote hasSignal={!isPoor} />}
          {preview === undefined ? null : (
            <PreviewNote preview={preview} isOpen={answer?.more?.preview !== undefined} />
          )}
          <div className="flex flex-wrap gap-3">
            <SubmitButton
              busyText={onPhone === undefined ? 'Uploading data...' : 'Keeping the photo...'}
              waiting={photosBusy > 0 || onPhone?.isBusy === true}
              done={answer?.saved !== undefined}
            >
              {onPhone === undefined ? 'Record calibration' : 'Save on this phone'}
            </SubmitButton>
            <button
              type="submit"
              name="intent"
              value="preview"
              className="unscripted-only button-look button-secondary"
            >
              Check first
            </button>
            {isPoor && answer?.lost === undefined ? keepButton : null}
            {/* On a narrow phone it would be a second row of the bar; the tabs above lead back there. */}
            <span className={onPhone === undefined ? 'contents' : 'max-sm:hidden'}>
              <GoBack fallback={onPhone?.back ?? `/vehicles/view/${opened.rego}`} />
            </span>
          </div>
        </div>
        <NotSavedBar answer={answer}>{keepButton}</NotSavedBar>
      </Form>
    </main>
  );
}

// Of what was typed before: a text without an id is none of the register.
const lineIn = (value: (name: string) => string | undefined): string =>
  (value('reference_id') ?? '') === '' ? '' : (value('weighbridge') ?? '');

// A draft has all that is typed, but no file. The truck must be confirmed again.
const NOT_IN_DRAFT = ['confirmed', 'all_the_same', 'photo', 'photo_file', 'rego', 'vin', 'form_key', 'visit_zone'];
const isInDraft = (name: string): boolean => !NOT_IN_DRAFT.includes(name);

function Section({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section className="card p-5 max-row:p-4" aria-label={title}>
      <h2 className="pb-4 text-lg">{title}</h2>
      <div className="grid items-start gap-5 sm:grid-cols-2">{children}</div>
    </section>
  );
}
