// The form that adds or updates a weighbridge.
import { AnswerForm } from '#app/ui/answer-form.tsx';
import { TextField } from '#app/ui/field.tsx';
import type { FormAnswer } from '#app/ui/form-answer.ts';
import { FormNotes, NotSavedBar } from '#app/ui/form-notes.tsx';
import { GoBack } from '#app/ui/go-back.tsx';
import { EditedFields } from '#app/ui/merged-edits.tsx';
import { SelectField } from '#app/ui/select-field.tsx';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import type { ReferenceField } from './reference-entry.ts';
import { LONGEST, STATES } from './reference.ts';

export type ReferenceFormValues = Partial<Record<ReferenceField, string>>;

export function ReferenceForm({
  title,
  values,
  idempotencyKey,
  answer,
  meanwhile,
  back,
}: {
  /** On the button too. */
  title: string;
  values: ReferenceFormValues;
  idempotencyKey: string;
  answer: FormAnswer<ReferenceField> | undefined;
  meanwhile?: string | undefined;
  back: string;
}) {
  const at = (name: ReferenceField) => ({ name, autoComplete: 'off' }) as const;
  return (
    <main id="main" className="max-w-200">
      <h1 className="pb-5 text-xl">{title}</h1>
      <FormNotes answer={answer} meanwhile={meanwhile} />
      <AnswerForm answer={answer} idempotencyKey={idempotencyKey} className="card grid gap-5 p-5 max-row:p-4">
        <input type="hidden" name="version" value={answer?.values.version ?? values.version ?? '0'} />
        <EditedFields opened={values.version === undefined ? {} : values} answer={answer}>
          <div className="grid items-start gap-5 sm:grid-cols-2">
            <div className="sm:col-span-2">
              <TextField
                {...at('name')}
                label="Name"
                hint="Required. As the people who weigh there call it."
                maxLength={LONGEST.name}
                required
              />
            </div>
            <TextField
              {...at('place')}
              label="Place"
              hint="Required. The town or locality."
              maxLength={LONGEST.place}
              required
            />
            <SelectField
              name="state"
              label="State or territory"
              hint="Required."
              empty="Choose one"
              groups={[{ options: STATES }]}
            />
            <TextField {...at('latitude')} label="Latitude" hint="In degrees, such as -33.8688." maxLength={12} />
            <TextField {...at('longitude')} label="Longitude" hint="In degrees, such as 151.2093." maxLength={12} />
            <div className="sm:col-span-2">
              <TextField {...at('operator')} label="Operator" maxLength={LONGEST.operator} />
            </div>
            <TextField {...at('capacity_kg')} label="Capacity, kg" inputMode="numeric" maxLength={12} />
            <TextField
              {...at('interval_kg')}
              label="Verification interval e, kg"
              hint="As on its data plate."
              inputMode="numeric"
              maxLength={12}
            />
            <div className="sm:col-span-2">
              <TextField
                {...at('licence')}
                label="Licence of a public weighbridge"
                hint="Empty for a private one."
                maxLength={LONGEST.publicLicence}
              />
            </div>
          </div>
        </EditedFields>
        <div className="flex flex-wrap gap-3">
          <SubmitButton>{title}</SubmitButton>
          <GoBack fallback={back} />
        </div>
        <NotSavedBar />
      </AnswerForm>
    </main>
  );
}
