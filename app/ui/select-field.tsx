// In a file of its own, so that public pages, which have no select, do not load it.
import { useId } from 'react';
import { describedBy, FieldFrame, type FieldProps } from './field.tsx';

/** A select with groups of options; `empty` is the text of the option for no choice. */
export function SelectField({
  name,
  label,
  hint,
  error,
  defaultValue,
  empty,
  groups,
}: FieldProps & {
  empty: string;
  groups: readonly { label: string; options: readonly { value: string; label: string }[] }[];
}) {
  const id = useId();
  return (
    <FieldFrame id={id} name={name} label={label} hint={hint} error={error}>
      <select id={id} name={name} defaultValue={defaultValue} className="field-box" {...describedBy(id, hint, error)}>
        <option value="">{empty}</option>
        {groups.map((group) => (
          <optgroup key={group.label} label={group.label}>
            {group.options.map((option) => (
              <option key={option.value} value={option.value}>
                {option.label}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
    </FieldFrame>
  );
}
