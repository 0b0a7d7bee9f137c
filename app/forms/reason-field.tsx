import { TextField } from '#app/ui/field.tsx';
import { REASON_MAX } from './text-limits.ts';

/** The required reason of a decision. `hint`: who can see it. */
export function ReasonField({ hint }: { hint: string }) {
  return <TextField name="reason" label="Reason" hint={hint} maxLength={REASON_MAX} required autoComplete="off" />;
}
