import { describedBy, FieldNote } from './field.tsx';
import { KeepTheirs, useAnswered } from './merged-edits.tsx';

const COLUMNS = {
  one: 'grid grid-cols-1',
  two: 'grid grid-cols-2',
  three: 'grid grid-cols-1 row:grid-cols-3',
  four: 'grid grid-cols-2 sm:grid-cols-4',
  // Eight short words, and one more below them on a phone.
  nine: 'grid grid-cols-4 sm:flex sm:flex-wrap *:grow *:justify-center max-sm:*:nth-9:col-span-4 [&_input]:sr-only',
  // As many as fit side by side, as three of one short word do on a phone.
  short: 'flex flex-wrap *:grow',
} as const;

/**
 * Up to nine short options as tiles; native radio buttons, so the keyboard, and forms without scripts, work as usual.
 */
export function Choice({
  name,
  legend,
  hint,
  options,
  defaultValue,
  error: wrong,
  columns,
  onTap,
}: {
  name: string;
  legend: string;
  hint?: string;
  options: readonly { value: string; label: string }[];
  /** By default, as its error, what the form's answer says. */
  defaultValue?: string | undefined;
  error?: string | undefined;
  columns: keyof typeof COLUMNS;
  /** Called on a tap or click, not on a key: the arrow keys move from one option to the next. */
  onTap?: () => void;
}) {
  const { key, text, taken, disputed, ...answered } = useAnswered(name, defaultValue);
  const error = wrong ?? answered.error ?? disputed;
  const { 'aria-describedby': described } = describedBy(name, hint, { error, warning: taken });
  return (
    <fieldset
      id={error === undefined ? undefined : `field-${name}`}
      className="grid min-w-0 gap-1.5"
      data-field={name}
      aria-describedby={described}
    >
      <legend className="pb-1.5 font-semibold">{legend}</legend>
      {hint === undefined ? null : (
        <p id={`${name}-hint`} className="text-sm text-ink-2">
          {hint}
        </p>
      )}
      <div key={key} className={`gap-2 ${COLUMNS[columns]}`}>
        {options.map(({ value, label }) => (
          <label key={value} className="choice-tile">
            <input
              type="radio"
              name={name}
              value={value}
              defaultChecked={value === text}
              data-invalid={error === undefined ? undefined : true}
              className="size-5 shrink-0 accent-accent"
              onClick={(event) => {
                if (event.detail > 0) onTap?.();
              }}
            />
            {label}
          </label>
        ))}
      </div>
      {disputed === undefined ? null : <KeepTheirs field={name} label={legend} />}
      <FieldNote id={`${name}-note`} error={error} warning={taken} />
    </fieldset>
  );
}
