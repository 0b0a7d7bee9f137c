// In a file of its own, so that public pages, which have no select, do not load it.
import { useId } from 'react';
import { describedBy, FieldFrame, type FieldProps } from './field.tsx';
import { KeepTheirs, useMerged } from './merged-edits.tsx';

type Option = { value: string; label: string };

/** A select. `empty` is the text of the option for no choice; options of a group without a label stand by themselves. */
export function SelectField({
  name,
  label,
  hint,
  error: wrong,
  defaultValue,
  empty,
  groups,
}: FieldProps & {
  empty: string;
  groups: readonly { label?: string; options: readonly Option[] }[];
}) {
  const id = useId();
  const { key, taken, disputed } = useMerged(name, defaultValue);
  const error = wrong ?? disputed;
  return (
    <FieldFrame id={id} name={name} label={label} hint={hint} error={error} warning={taken}>
      <select
        key={key}
        id={id}
        name={name}
        defaultValue={defaultValue}
        className="field-box"
        {...describedBy(id, hint, error, taken)}
      >
        <option value="">{empty}</option>
        {groups.map(({ label: of, options }) =>
          of === undefined ? (
            optionsOf(options)
          ) : (
            <optgroup key={of} label={of}>
              {optionsOf(options)}
            </optgroup>
          ),
        )}
      </select>
      {disputed === undefined ? null : <KeepTheirs field={name} label={label} />}
    </FieldFrame>
  );
}

const optionsOf = (options: readonly Option[]) =>
  options.map(({ value, label }) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));
