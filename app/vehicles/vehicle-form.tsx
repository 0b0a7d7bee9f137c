// The form of 'Add new Vehicle' and 'Update Vehicle'. It keeps the typed values when a save is refused or when others
// change the vehicle: the page holds the values from the moment when the form was opened.
import { useState } from 'react';
import { Form } from 'react-router';
import { IfMay } from '#app/access/use-may.tsx';
import { Choice } from '#app/ui/choice.tsx';
import { TextAreaField, TextField, useFocusOnError } from '#app/ui/field.tsx';
import { FormNotes, NotSavedBar } from '#app/ui/form-notes.tsx';
import { GoBack } from '#app/ui/go-back.tsx';
import { EditedFields } from '#app/ui/merged-edits.tsx';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import { UploadField } from '#app/ui/upload-field.tsx';
import { useSaved } from '#app/ui/use-saved.ts';
import { GroupTable } from './group-table.tsx';
import { PresentFiles, type PresentFile } from './present-files.tsx';
import type { VehicleAnswer } from './vehicle-action.server.ts';
import type { VehicleField } from './vehicle-entry.ts';
import { STATE_CHOICES } from './plates.ts';
import { VEHICLE_FIELDS, type Field } from './vehicle-fields.ts';
import { normaliseVin, vinWarning } from './vehicle.ts';

const MB = 1024 * 1024;

export type VehicleFormValues = Partial<Record<VehicleField, string>>;

export function VehicleForm({
  title,
  button,
  values: given,
  idempotencyKey,
  files,
  answer,
  meanwhile,
  back,
}: {
  title: string;
  button: string;
  values: VehicleFormValues;
  idempotencyKey: string;
  files: readonly PresentFile[];
  answer: VehicleAnswer | undefined;
  meanwhile?: string | undefined;
  back: string;
}) {
  const isUpdate = given.version !== undefined;
  const values: VehicleFormValues = { ...given, ...answer?.values };
  const form = useFocusOnError(answer);
  const [certificatesBusy, setCertificatesBusy] = useState(0);
  const [imagesBusy, setImagesBusy] = useState(0);
  useSaved(answer?.saved);
  const text = (name: VehicleField, label: string, more: Partial<Parameters<typeof TextField>[0]> = {}) => (
    <TextField key={name} name={name} label={label} autoComplete="off" {...more} />
  );
  const inputOf = (field: Field) => {
    const { name, label } = field;
    switch (field.kind) {
      case 'vin':
        return text(name, label, {
          hint: vinWarning(normaliseVin(values[name] ?? '') ?? '') ?? '17 characters, or the chassis number',
          maxLength: 60,
          autoCapitalize: 'characters',
        });
      case 'line':
        return text(name, label, { maxLength: field.maxLength });
      case 'day':
        return text(name, label, {
          type: 'date',
          ...(name === 'next_calibration_due'
            ? { hint: 'In force only with a visit that counts. Without one it is kept, and counts for nothing.' }
            : {}),
        });
      case 'choice':
        if (name === 'plate_state') return <PlateState key={name} label={label} known={isUpdate ? given[name] : ''} />;
        return <Choice key={name} name={name} legend={label} options={field.options} columns="three" />;
      case 'axle groups':
        return <GroupTable key={name} kind={values.kind ?? ''} />;
      case 'group details':
        return null;
      case 'yes-no':
        return (
          <Choice
            key={name}
            name={name}
            legend={label}
            options={[
              { value: 'yes', label: 'Yes' },
              { value: 'no', label: 'No' },
            ]}
            columns="two"
            defaultValue={values[name] ?? 'no'}
            error={answer?.errors[name]}
            {...(name === 'calibration_validated'
              ? { hint: 'Alone it makes nothing valid: without a visit that counts the verdict is Not validated.' }
              : {})}
          />
        );
      case 'text':
        return (
          <div key={name} className="sm:col-span-2">
            <TextAreaField name={name} label={label} maxLength={field.maxLength} />
          </div>
        );
    }
  };
  const ofScale = VEHICLE_FIELDS.filter(({ section }) => section === 'Scale');
  return (
    <main id="main" className="max-w-200">
      <h1 className="pb-5 text-xl">{title}</h1>
      <FormNotes answer={answer} meanwhile={meanwhile} />
      <Form ref={form} method="post" encType="multipart/form-data" className="grid gap-5" noValidate>
        <input type="hidden" name="form_key" value={idempotencyKey} />
        <input type="hidden" name="version" value={values.version ?? '0'} />
        <EditedFields opened={isUpdate ? given : {}} answer={answer}>
          <Section title="Vehicle">
            {text('rego', 'Rego', {
              hint: isUpdate ? 'The rego cannot be changed here.' : 'Required. Letters and digits.',
              readOnly: isUpdate,
              required: true,
              defaultValue: values.rego,
              maxLength: 40,
              autoCapitalize: 'characters',
            })}
            {VEHICLE_FIELDS.filter(({ section }) => section === 'Vehicle').map(inputOf)}
          </Section>
          <Section title="Scale">
            {ofScale.filter((field) => field.kind !== 'text' && !('setBy' in field)).map(inputOf)}
            <IfMay to="validate vehicles">
              {ofScale.filter((field) => 'setBy' in field).map(inputOf)}
              <div className="sm:col-span-2">
                {text('reason', 'Reason for changing the due date, validation or axle groups (optional)', {
                  maxLength: 500,
                  hint: 'Of a VIN that is corrected: “typed wrong” says that it is the same truck.',
                })}
              </div>
            </IfMay>
            {ofScale.filter(({ kind }) => kind === 'text').map(inputOf)}
          </Section>
          <section className="card grid gap-5 p-5 max-row:p-4" aria-label="Files">
            <h2 className="text-lg">Files</h2>
            <PresentFiles files={files} />
            <UploadField
              name="certificate"
              label="Certificate"
              hint="PDF, JPEG or PNG, up to 20 MB."
              accept="application/pdf,image/jpeg,image/png"
              maxBytes={20 * MB}
              kind="certificate"
              onBusy={setCertificatesBusy}
            />
            <UploadField
              name="image"
              label="Images"
              hint="JPEG, PNG or WebP, up to 15 MB each, 20 in all. Position and camera data are removed."
              accept="image/jpeg,image/png,image/webp"
              maxBytes={15 * MB}
              kind="image"
              multiple
              onBusy={setImagesBusy}
            />
          </section>
        </EditedFields>
        <div className="flex flex-wrap gap-3">
          <SubmitButton
            busyText="Uploading data..."
            waiting={certificatesBusy + imagesBusy > 0}
            done={answer?.saved !== undefined}
          >
            {button}
          </SubmitButton>
          <GoBack fallback={back} />
        </div>
        <NotSavedBar answer={answer} />
      </Form>
    </main>
  );
}

// A known one changes with the plate.
function PlateState({ label, known }: { label: string; known: string | undefined }) {
  if (known !== undefined && known !== '')
    return (
      <TextField name="plate_state" label={label} readOnly hint="It changes with the plate." defaultValue={known} />
    );
  return (
    <div className="sm:col-span-2">
      <Choice
        name="plate_state"
        legend={`${label} (optional)`}
        options={STATE_CHOICES}
        columns="nine"
        defaultValue=""
      />
    </div>
  );
}

function Section({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section className="card p-5 max-row:p-4" aria-label={title}>
      <h2 className="pb-4 text-lg">{title}</h2>
      <div className="grid gap-5 sm:grid-cols-2">{children}</div>
    </section>
  );
}
