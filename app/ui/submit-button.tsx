import { RowIcon } from './row-icon.tsx';
import { useContext, type ReactNode } from 'react';
import { useNavigation } from 'react-router';
import { Answered } from './merged-edits.tsx';

export const LOOKS = { primary: 'button-primary', secondary: 'button-secondary', danger: 'button-danger' } as const;

/**
 * The primary button of a form. While the form is being sent it shows `busyText`, and a second press does nothing.
 * `waiting`: files are still uploading; `done`: the form is saved, and the next page follows; by default as its answer
 * says.
 */
export function SubmitButton({
  children,
  busyText,
  waiting = false,
  done: isDone,
  wide,
  name,
  value,
  look = 'primary',
  form,
}: {
  children: ReactNode;
  busyText?: string;
  waiting?: boolean;
  done?: boolean;
  wide?: true;
  name?: string;
  value?: string;
  look?: 'primary' | 'secondary' | 'danger';
  /** The id of the form, for a button outside of it. */
  form?: string;
}) {
  const { answer } = useContext(Answered);
  const done = isDone ?? answer?.saved !== undefined;
  const { state, formData } = useNavigation();
  const sending = state !== 'idle' && formData !== undefined && (name === undefined || formData.get(name) === value);
  const busy = sending || waiting;
  return (
    <button
      type="submit"
      name={name}
      value={value}
      form={form}
      aria-disabled={busy || done || undefined}
      onClick={(event) => {
        if (busy || done) event.preventDefault();
      }}
      className={`button-look ${LOOKS[look]} ${wide === true ? 'w-full' : ''}`}
    >
      {busy ? <RowIcon name="loader-circle" className="row-icon size-5 animate-spin" /> : null}
      {busy && busyText !== undefined ? busyText : children}
    </button>
  );
}
