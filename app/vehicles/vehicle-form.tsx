// 'Add new Vehicle' and 'Update Vehicle': the same fields. What was typed stays through every refusal, and through what
// others change meanwhile: the values of the moment the form was opened are kept in the page.
import { useState } from 'react';
import { Form } from 'react-router';
import { Choice } from '#app/ui/choice.tsx';
import { TextAreaField, TextField, useFocusOnError } from '#app/ui/field.tsx';
import { FormNotes } from '#app/ui/form-notes.tsx';
import { GoBack } from '#app/ui/go-back.tsx';
import { EditedFields } from '#app/ui/merged-edits.tsx';
import { NotSavedBar } from '#app/ui/not-saved-bar.tsx';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import { UploadField } from '#app/ui/upload-field.tsx';
import { useSaved } from '#app/ui/use-saved.ts';
import { PresentFiles, type PresentFile } from './present-files.tsx';
import type { VehicleAnswer } from './vehicle-door.server.ts';
import type { VehicleField } from './vehicle-entry.ts';
import { vinWarning } from './vehicle.ts';

const MB = 1024 * 1024;

export type VehicleFormValues = Partial<Record<VehicleField, string>>;

export function VehicleForm({
  title,
  button,
  values: given,
  formKey,
  decides,
  files,
  answer,
  meanwhile,
  back,
}: {
  title: string;
  button: string;
  values: VehicleFormValues;
  formKey: string;
  decides: boolean;
  files: readonly PresentFile[];
  answer: VehicleAnswer | undefined;
  meanwhile?: string | undefined;
  back: string;
}) {
  const isUpdate = given.version !== undefined;
  const values: VehicleFormValues = { ...given, ...answer?.values };
  const errors = answer?.errors ?? {};
  const form = useFocusOnError(answer);
  const [certificatesBusy, setCertificatesBusy] = useState(0);
  const [imagesBusy, setImagesBusy] = useState(0);
  useSaved(answer?.saved);
  const text = (name: VehicleField, label: string, more: Partial<Parameters<typeof TextField>[0]> = {}) => (
    <TextField
      name={name}
      label={label}
      autoComplete="off"
      defaultValue={values[name]}
      error={errors[name]}
      {...more}
    />
  );
  return (
    <main id="main" className="max-w-200">
      <h1 className="pb-5 text-xl">{title}</h1>
      <FormNotes answer={answer} meanwhile={meanwhile} />
      <Form ref={form} method="post" encType="multipart/form-data" className="grid gap-5" noValidate>
        <input type="hidden" name="form_key" value={formKey} />
        <input type="hidden" name="version" value={values.version ?? '0'} />
        <EditedFields opened={isUpdate ? given : {}} answer={answer}>
          <Section title="Vehicle">
            {text('rego', 'Rego', {
              hint: isUpdate ? 'The rego cannot be changed here.' : 'Required. Letters and digits.',
              readOnly: isUpdate,
              required: true,
              maxLength: 40,
              autoCapitalize: 'characters',
            })}
            {text('vin', 'VIN', {
              hint:
                vinWarning((values.vin ?? '').toUpperCase().replaceAll(/[\s-]/g, '')) ??
                '17 characters, or the chassis number',
              maxLength: 60,
              autoCapitalize: 'characters',
            })}
            {text('make', 'Make', { maxLength: 60 })}
            {text('model', 'Model', { maxLength: 60 })}
            {text('company_name', 'Company name', { maxLength: 200 })}
            {text('driver_name', 'Driver name', { maxLength: 200 })}
          </Section>
          <Section title="Scale">
            {text('scale_serial_number', 'Scale serial number', { maxLength: 100 })}
            {text('fitted_location', 'Fitted location', { maxLength: 200 })}
            {text('fitted_date', 'Fitted date', { type: 'date' })}
            {text('warranty_expiry_date', 'Warranty expiry date', { type: 'date' })}
            {decides ? (
              <>
                {text('next_calibration_due', 'Next calibration due', { type: 'date' })}
                <Choice
                  name="calibration_validated"
                  legend="Calibration validated"
                  options={[
                    { value: 'yes', label: 'Yes' },
                    { value: 'no', label: 'No' },
                  ]}
                  columns="two"
                  defaultValue={values.calibration_validated ?? 'no'}
                  error={errors.calibration_validated}
                />
                <div className="sm:col-span-2">
                  {text('reason', 'Reason for changing the due date or validation (optional)', { maxLength: 500 })}
                </div>
              </>
            ) : null}
            <div className="sm:col-span-2">
              <TextAreaField
                name="notes"
                label="Notes"
                maxLength={4000}
                defaultValue={values.notes}
                error={errors.notes}
              />
            </div>
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
              waiting={answer?.staged?.['certificate']}
              error={answer?.fileErrors?.['certificate']}
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
              waiting={answer?.staged?.['image']}
              error={answer?.fileErrors?.['image']}
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

function Section({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section className="card p-5 max-row:p-4" aria-label={title}>
      <h2 className="pb-4 text-lg">{title}</h2>
      <div className="grid gap-5 sm:grid-cols-2">{children}</div>
    </section>
  );
}
