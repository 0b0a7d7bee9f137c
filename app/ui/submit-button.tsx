import { LoaderCircle } from 'lucide-react';
import type { ReactNode } from 'react';
import { useNavigation } from 'react-router';

/** The one primary button of a form. While its form is on the way it says so, and a second press does nothing. */
export function SubmitButton({
  children,
  busyText,
  wide,
  name,
  value,
  look = 'primary',
}: {
  children: ReactNode;
  busyText?: string;
  wide?: true;
  name?: string;
  value?: string;
  look?: 'primary' | 'secondary' | 'danger';
}) {
  const { state, formData } = useNavigation();
  const busy = state !== 'idle' && formData !== undefined && (name === undefined || formData.get(name) === value);
  return (
    <button
      type="submit"
      name={name}
      value={value}
      aria-disabled={busy || undefined}
      onClick={(event) => {
        if (busy) event.preventDefault();
      }}
      className={`button-look button-${look} ${wide === true ? 'w-full' : ''}`}
    >
      {busy ? <LoaderCircle size={20} aria-hidden="true" className="animate-spin" /> : null}
      {busy && busyText !== undefined ? busyText : children}
    </button>
  );
}
