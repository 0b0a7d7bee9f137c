import { DateBox } from './date-box.tsx';
import { RowIcon } from './row-icon.tsx';
import { Fragment, useEffect, useId, useRef, useState, type ComponentProps, type ReactNode } from 'react';
import { KeepTheirs, useAnswered } from './merged-edits.tsx';
import { useIsHydrated } from './use-is-hydrated.ts';

export type FieldProps = {
  name: string;
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  /** A probable mistake. The form can be saved all the same. */
  warning?: string | undefined;
  /** By default what the form's answer says that was typed. */
  defaultValue?: string | undefined;
};
type Own<Tag extends 'input' | 'textarea'> = Omit<ComponentProps<Tag>, keyof FieldProps | 'id' | 'className'>;

/** A text input with label and hint above it, and its error below. */
export function TextField({ name, label, hint, error, warning, defaultValue, ...own }: FieldProps & Own<'input'>) {
  return (
    <AnsweredField {...{ name, label, hint, error, warning, defaultValue }}>
      {(input) =>
        own.type === 'date' ? <DateBox {...own} {...input} /> : <input {...own} {...input} className="field-box" />
      }
    </AnsweredField>
  );
}

/** The address of a person without an account. */
export const EmailField = (given: Partial<FieldProps> & Own<'input'>) => (
  <TextField name="email" label="Email" type="email" autoComplete="email" maxLength={254} {...given} />
);

export function TextAreaField({
  name,
  label,
  hint,
  error,
  warning,
  defaultValue,
  ...own
}: FieldProps & Own<'textarea'>) {
  return (
    <AnsweredField {...{ name, label, hint, error, warning, defaultValue }}>
      {(area) => <textarea rows={3} {...own} {...area} className="field-box py-2.5" />}
    </AnsweredField>
  );
}

type InputProps = { id: string; name: string; defaultValue: string | undefined } & ReturnType<typeof describedBy>;

/** A field of a form with an answer: the text and the messages of the answer, where no others are given. */
export function AnsweredField({
  name,
  label,
  hint,
  defaultValue,
  children,
  ...given
}: FieldProps & { children: (input: InputProps) => ReactNode }) {
  const id = useId();
  const { key, text, disputed, ...answered } = useAnswered(name, defaultValue);
  const error = given.error ?? answered.error ?? disputed;
  const warning = given.warning ?? answered.taken;
  return (
    <FieldFrame id={id} name={name} label={label} hint={hint} error={error} warning={warning}>
      <Fragment key={key}>
        {children({ id, name, defaultValue: text, ...describedBy(id, hint, { error, warning }) })}
      </Fragment>
      {disputed === undefined ? null : <KeepTheirs field={name} label={label} />}
    </FieldFrame>
  );
}

/** A password, with a button that shows it (only with scripts). `errorRole`: announces the error when it appears. */
export function PasswordField({
  name,
  label,
  hint,
  errorRole,
  ...own
}: Pick<FieldProps, 'name' | 'label' | 'hint'> & Own<'input'> & { errorRole?: 'alert' }) {
  const id = useId();
  const { error } = useAnswered(name);
  const [shown, setShown] = useState(false);
  const isHydrated = useIsHydrated();
  return (
    <FieldFrame id={id} name={name} label={label} hint={hint} error={error} errorRole={errorRole}>
      <div className="relative">
        <input
          {...own}
          id={id}
          name={name}
          type={shown ? 'text' : 'password'}
          className="field-box pr-12"
          {...describedBy(id, hint, { error })}
        />
        {isHydrated ? (
          <button
            type="button"
            className="absolute inset-y-0 right-0 grid w-11 cursor-pointer place-items-center text-ink-2"
            aria-label={`Show ${label.toLowerCase()}`}
            aria-pressed={shown}
            onClick={() => setShown(!shown)}
          >
            <RowIcon name={shown ? 'eye-off' : 'eye'} className="row-icon size-5" />
          </button>
        ) : null}
      </div>
    </FieldFrame>
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
}: Omit<FieldProps, 'defaultValue' | 'label'> & {
  id: string;
  label: ReactNode;
  errorRole?: 'alert' | undefined;
  children: ReactNode;
}) {
  return (
    <div
      id={error === undefined ? undefined : `field-${name}`}
      className="disputable grid grid-cols-1 content-start gap-1.5"
      data-field={name}
    >
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      {hint === undefined ? null : (
        <p id={`${id}-hint`} className="text-sm text-ink-2">
          {hint}
        </p>
      )}
      {children}
      <FieldNote id={`${id}-note`} role={errorRole} error={error} warning={warning} />
    </div>
  );
}

/** What is wrong with a field, or else what probably is. */
export function FieldNote({
  error,
  warning,
  ...own
}: { id?: string; role?: 'alert' | undefined } & Pick<FieldProps, 'error' | 'warning'>) {
  if (error === undefined && warning === undefined) return null;
  return (
    <p
      {...own}
      className={`flex gap-1.5 text-sm font-semibold ${error === undefined ? 'text-due-text' : 'text-overdue-text'}`}
    >
      {error === undefined ? (
        <RowIcon name="triangle-exclamation-point" className="row-icon mt-px size-4.5" />
      ) : (
        <RowIcon name="circle-exclamation-point" className="row-icon size-4.5 mt-px" />
      )}
      {error ?? warning}
    </p>
  );
}

/** The `aria-describedby` of an input: the ids of its hint, and of its error or warning. */
export function describedBy(
  id: string,
  hint: ReactNode,
  { error, warning }: { error: string | undefined; warning?: string | undefined },
) {
  const ids = [
    ...(hint === undefined ? [] : [`${id}-hint`]),
    ...(error === undefined && warning === undefined ? [] : [`${id}-note`]),
  ];
  return {
    'aria-describedby': ids.length === 0 ? undefined : ids.join(' '),
    'aria-invalid': error === undefined ? undefined : true,
  };
}

/**
 * Focuses what is wrong whenever new `errors` arrive: the list of several fields, else the first. The returned ref
 * belongs on the form.
 */
export function useFocusOnError(errors: object | undefined): React.RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (errors === undefined) return;
    const first = form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-invalid="true"]');
    (document.querySelector<HTMLElement>('.error-summary') ?? first)?.focus();
  }, [errors]);
  return form;
}
