// In a file of its own, so that public pages, which have no select, do not load it.
import { AnsweredField, type FieldProps } from './field.tsx';

type Option = { value: string; label: string };

/** A select. `empty` is the text of the option for no choice; options of a group without a label stand alone. */
export function SelectField({
  empty,
  groups,
  ...field
}: FieldProps & { empty: string; groups: readonly { label?: string; options: readonly Option[] }[] }) {
  return (
    <AnsweredField {...field}>
      {(select) => (
        <select {...select} className="field-box">
          <option value="">{empty}</option>
          {groups.map(({ label, options }) =>
            label === undefined ? (
              optionsOf(options)
            ) : (
              <optgroup key={label} label={label}>
                {optionsOf(options)}
              </optgroup>
            ),
          )}
        </select>
      )}
    </AnsweredField>
  );
}

const optionsOf = (options: readonly Option[]) =>
  options.map(({ value, label }) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));
