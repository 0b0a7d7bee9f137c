import CircleAlert from 'lucide-react/icons/circle-exclamation-point';
import TriangleAlert from 'lucide-react/icons/triangle-exclamation-point';
import { KeepTheirs, useMerged } from './merged-edits.tsx';

const COLUMNS = {
  two: 'grid-cols-2',
  three: 'grid-cols-1 row:grid-cols-3',
  four: 'grid-cols-2 sm:grid-cols-4',
} as const;

/** Up to four options as tiles; native radio buttons, so the keyboard, and forms without scripts, work as usual. */
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
  defaultValue?: string | undefined;
  error?: string | undefined;
  columns: 'two' | 'three' | 'four';
  /** Called on a tap or click, not on a key: the arrow keys move from one option to the next. */
  onTap?: () => void;
}) {
  const { key, taken, disputed } = useMerged(name, defaultValue);
  const error = wrong ?? disputed;
  const note = error ?? taken;
  const described = [hint && `${name}-hint`, note && `${name}-note`].filter(Boolean).join(' ');
  const [Icon, color] = error === undefined ? [TriangleAlert, 'text-due-text'] : [CircleAlert, 'text-overdue-text'];
  return (
    <fieldset className="grid min-w-0 gap-1.5" aria-describedby={described === '' ? undefined : described}>
      <legend className="pb-1.5 font-semibold">{legend}</legend>
      {hint === undefined ? null : (
        <p id={`${name}-hint`} className="text-sm text-ink-2">
          {hint}
        </p>
      )}
      <div key={key} className={`grid gap-2 ${COLUMNS[columns]}`}>
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
      {disputed === undefined ? null : <KeepTheirs field={name} label={legend} />}
      {note === undefined ? null : (
        <p id={`${name}-note`} className={`flex gap-1.5 text-sm font-semibold ${color}`}>
          <Icon size={18} aria-hidden="true" className="mt-px shrink-0" />
          {note}
        </p>
      )}
    </fieldset>
  );
}
