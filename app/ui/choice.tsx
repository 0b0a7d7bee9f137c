import { CircleAlert } from 'lucide-react';

const COLUMNS = {
  two: 'grid-cols-2',
  three: 'grid-cols-1 row:grid-cols-3',
  four: 'grid-cols-2 sm:grid-cols-4',
} as const;

/** Up to four options as tiles; native radio buttons, so that keys and forms without scripts work as ever. */
export function Choice({
  name,
  legend,
  options,
  defaultValue,
  error,
  columns,
  onTap,
}: {
  name: string;
  legend: string;
  options: readonly { value: string; label: string }[];
  defaultValue?: string | undefined;
  error?: string | undefined;
  columns: 'two' | 'three' | 'four';
  /** By a finger or the mouse; not by a key, which goes from one option to the next. */
  onTap?: () => void;
}) {
  return (
    <fieldset className="grid min-w-0 gap-1.5" aria-describedby={error === undefined ? undefined : `${name}-error`}>
      <legend className="pb-1.5 font-semibold">{legend}</legend>
      <div className={`grid gap-2 ${COLUMNS[columns]}`}>
        {options.map(({ value, label }) => (
          <label key={value} className="choice-tile">
            <input
              type="radio"
              name={name}
              value={value}
              defaultChecked={value === defaultValue}
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
      {error === undefined ? null : (
        <p id={`${name}-error`} className="flex gap-1.5 text-sm font-semibold text-overdue-text">
          <CircleAlert size={18} aria-hidden="true" className="mt-px shrink-0" />
          {error}
        </p>
      )}
    </fieldset>
  );
}
