// The form of 'Add new Admin' and 'Update Admin'. A refusal keeps everything typed, but for the password.
import { PASSWORD_MIN } from '#app/sign-in/password-length.ts';
import { PortraitAndButtons } from '#app/people/portrait-and-buttons.tsx';
import { STAFF } from '#app/people/staff.ts';
import { AnswerForm } from '#app/ui/answer-form.tsx';
import { Choice } from '#app/ui/choice.tsx';
import { PasswordField, TextAreaField, TextField } from '#app/ui/field.tsx';
import type { FormAnswer } from '#app/ui/form-answer.ts';
import { FormNotes } from '#app/ui/form-notes.tsx';
import { EditedFields } from '#app/ui/merged-edits.tsx';
import { STAFF_ROLES } from '#database/people-tables.ts';
import type { AddAdminInput } from './admin.ts';

type AdminField = keyof AddAdminInput | 'gender' | 'version';
type Words = Partial<Record<AdminField, string>>;

export function AdminForm({
  values: opened,
  idempotencyKey,
  image,
  answer,
  meanwhile,
  back,
}: {
  /** A version marks an update; without one the form adds an admin. */
  values: Words;
  idempotencyKey: string;
  image: string | undefined;
  answer: FormAnswer<AdminField> | undefined;
  meanwhile?: string | undefined;
  back: string;
}) {
  const isUpdate = opened.version !== undefined;
  const [title, button] = isUpdate ? ['Update Admin', 'Update'] : ['Add new Admin', 'Add Admin'];
  const values: Words = { ...opened, ...answer?.values };
  const text = (name: AdminField, label: string, more: Partial<Parameters<typeof TextField>[0]> = {}) => (
    <TextField name={name} label={label} autoComplete="off" {...more} />
  );
  return (
    <main id="main" className="max-w-200">
      <h1 className="pb-5 text-xl">{title}</h1>
      <FormNotes answer={answer} meanwhile={meanwhile} />
      <AnswerForm answer={answer} idempotencyKey={idempotencyKey} encType="multipart/form-data" className="grid gap-5">
        {isUpdate ? <input type="hidden" name="version" value={values.version} /> : null}
        <EditedFields opened={isUpdate ? opened : {}} answer={answer}>
          <div className="card grid gap-5 p-5 max-row:p-4 sm:grid-cols-2">
            {text('email', 'Email', {
              type: isUpdate ? 'email' : 'text',
              hint: isUpdate ? 'The email cannot be changed.' : 'Required. We will email them where to sign in.',
              readOnly: isUpdate,
              required: true,
              maxLength: 254,
              autoCapitalize: 'none',
              spellCheck: false,
            })}
            {isUpdate ? null : (
              <PasswordField
                name="password"
                label="Password"
                hint="Required. Give it to them yourself. They will choose their own when they first sign in."
                autoComplete="new-password"
                required
                minLength={PASSWORD_MIN}
              />
            )}
            {isUpdate ? null : (
              <Choice
                name="access"
                legend="Access"
                hint="An auditor reads all that an admin reads, and changes nothing."
                options={STAFF_ROLES.map((role) => ({ value: role, label: STAFF[role].one }))}
                defaultValue={values.access ?? 'admin'}
                columns="two"
              />
            )}
            {text('name', 'Name', { maxLength: 200 })}
            {text('phone', 'Phone', { type: 'tel', maxLength: 60 })}
            {text('address', 'Address', { maxLength: 300 })}
            {text('role', 'Role', { maxLength: 100 })}
            {text('dob', 'Date of birth', { type: 'date' })}
            {isUpdate ? text('gender', 'Gender', { maxLength: 60 }) : null}
            <div className="sm:col-span-2">
              <TextAreaField name="notes" label="Notes" maxLength={4000} />
            </div>
          </div>
        </EditedFields>
        <PortraitAndButtons
          name={values.name || values.email || ''}
          src={image}
          caption={image === undefined ? 'Without a picture, the initials are shown.' : 'The current picture.'}
          button={button}
          back={back}
        />
      </AnswerForm>
    </main>
  );
}
