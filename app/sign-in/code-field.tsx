import { TextField } from '#app/ui/field.tsx';

/** A code of the second factor. A refused form shows it empty: a code counts once. */
export function CodeField() {
  return (
    <TextField
      name="code"
      label="Code"
      hint="Six digits from your authenticator app, or one of your recovery codes."
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={40}
      required
      defaultValue=""
    />
  );
}
