import { PasswordField } from '#app/ui/field.tsx';
import { PASSWORD_MAX, PASSWORD_MIN } from './password-length.ts';

/** A new password, typed twice. */
export function NewPasswordFields() {
  return (
    <>
      <PasswordField
        name="password"
        label="New password"
        hint={`${PASSWORD_MIN} to ${PASSWORD_MAX} characters. Four or five words that do not belong together are strong.`}
        autoComplete="new-password"
        required
        minLength={PASSWORD_MIN}
      />
      <PasswordField name="repeat" label="New password again" autoComplete="new-password" required />
    </>
  );
}
