import CircleAlert from 'lucide-react/icons/circle-exclamation-point';
import Eye from 'lucide-react/icons/eye';
import EyeOff from 'lucide-react/icons/eye-off';
import TriangleAlert from 'lucide-react/icons/triangle-exclamation-point';
import { useEffect, useId, useRef, useState, useSyncExternalStore, type ComponentProps, type ReactNode } from 'react';
import { KeepTheirs, useMerged } from './merged-edits.tsx';

export type FieldProps = {
  name: string;
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  /** A probable mistake. The form can be saved all the same. */
  warning?: string | undefined;
  /** Screen readers announce the error as soon as it appears. */
  errorRole?: 'alert';
  defaultValue?: string | undefined;
};
type InputProps = Omit<ComponentProps<'input'>, 'name' | 'defaultValue' | 'id' | 'className'>;

/** A text input with label and hint above it, and its error below. */
export function TextField({ name, label, hint, defaultValue, ...input }: FieldProps & InputProps) {
  const id = useId();
  const { key, taken, disputed } = useMerged(name, defaultValue);
  const { error = disputed, warning = taken, ...more } = input;
  return (
    <FieldFrame id={id} name={name} label={label} hint={hint} error={error} warning={warning}>
      <input
        {...more}
        key={key}
        id={id}
        name={name}
        defaultValue={defaultValue}
        className="field-box"
        {...describedBy(id, hint, error, warning)}
      />
      {disputed === undefined ? null : <KeepTheirs field={name} label={label} />}
    </FieldFrame>
  );
}

export function TextAreaField({
  name,
  label,
  hint,
  defaultValue,
  ...area
}: FieldProps & Omit<ComponentProps<'textarea'>, 'name' | 'defaultValue' | 'id' | 'className'>) {
  const id = useId();
  const { key, taken, disputed } = useMerged(name, defaultValue);
  const { error = disputed, warning = taken, ...more } = area;
  return (
    <FieldFrame id={id} name={name} label={label} hint={hint} error={error} warning={warning}>
      <textarea
        rows={3}
        {...more}
        key={key}
        id={id}
        name={name}
        defaultValue={defaultValue}
        className="field-box py-2.5"
        {...describedBy(id, hint, error, warning)}
      />
      {disputed === undefined ? null : <KeepTheirs field={name} label={label} />}
    </FieldFrame>
  );
}

/** A password, with a button that shows it (only with scripts). */
export function PasswordField({ name, label, hint, error, errorRole, ...input }: FieldProps & InputProps) {
  const id = useId();
  const [shown, setShown] = useState(false);
  const scripted = useScripted();
  const Icon = shown ? EyeOff : Eye;
  return (
    <FieldFrame id={id} name={name} label={label} hint={hint} error={error} errorRole={errorRole}>
      <div className="relative">
        <input
          {...input}
          id={id}
          name={name}
          type={shown ? 'text' : 'password'}
          className="field-box pr-12"
          {...describedBy(id, hint, error)}
        />
        {scripted ? (
          <button
            type="button"
            className="absolute inset-y-0 right-0 grid w-11 cursor-pointer place-items-center text-ink-2"
            aria-label={`Show ${label.toLowerCase()}`}
            aria-pressed={shown}
            onClick={() => setShown(!shown)}
          >
            <Icon size={20} aria-hidden="true" />
          </button>
        ) : null}
      </div>
    </FieldFrame>
  );
}

// Whether scripts run: false in the server's markup.
function useScripted(): boolean {
  return useSyncExternalStore(
    () => () => {},
    () => true,
    () => false,
  );
}

/** The label, hint, error and warning around a field's input. */
export function FieldFrame({
  id,
  name,
  label,
  hint,
  error,
  errorRole,
  warning,
  children,
}: Omit<FieldProps, 'defaultValue' | 'label' | 'errorRole'> & {
  id: string;
  label: ReactNode;
  errorRole?: 'alert' | undefined;
  children: ReactNode;
}) {
  return (
    <div className="disputable grid grid-cols-1 content-start gap-1.5" data-field={name}>
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      {hint === undefined ? null : (
        <p id={`${id}-hint`} className="text-sm text-ink-2">
          {hint}
        </p>
      )}
      {children}
      {error === undefined ? null : (
        <p id={`${id}-error`} role={errorRole} className="flex gap-1.5 text-sm font-semibold text-overdue-text">
          <CircleAlert size={18} aria-hidden="true" className="mt-px shrink-0" />
          {error}
        </p>
      )}
      {warning === undefined || error !== undefined ? null : (
        <p id={`${id}-warning`} className="flex gap-1.5 text-sm font-semibold text-due-text">
          <TriangleAlert size={18} aria-hidden="true" className="mt-px shrink-0" />
          {warning}
        </p>
      )}
    </div>
  );
}

/** The `aria-describedby` of an input: the ids of its hint, error and warning. */
export function describedBy(id: string, hint: ReactNode, error: string | undefined, warning?: string) {
  const ids = [
    hint === undefined ? '' : `${id}-hint`,
    error === undefined ? (warning === undefined ? '' : `${id}-warning`) : `${id}-error`,
  ].filter(Boolean);
  return {
    'aria-describedby': ids.length === 0 ? undefined : ids.join(' '),
    'aria-invalid': error === undefined ? undefined : true,
  };
}

/** Focuses the first field with an error whenever new `errors` arrive. The returned ref belongs on the form. */
export function useFocusOnError(errors: object | undefined): React.RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (errors !== undefined)
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-invalid="true"]')?.focus();
  }, [errors]);
  return form;
}
