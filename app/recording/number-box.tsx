// The input of a reading. It shows the unit inside, and below, while the user types, the value to be recorded: '4,780
// kg'.
import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { readNumber } from '#app/platform/http/entered-number.ts';
import { describedBy, FieldFrame } from '#app/ui/field.tsx';
import { SignKey } from '#app/ui/sign-key.tsx';
import { formatValue, type Unit } from '#app/readings/calibration.ts';
import { readOneBox } from '#app/readings/grid-outputs.ts';

const PADDING: Record<Unit, string> = {
  V: 'pr-11 pointer-coarse:pr-19',
  kg: 'pr-11',
  kPa: 'pr-14',
  'mV/V': 'pr-16 pointer-coarse:pr-24',
  counts: 'pr-18',
};

export function NumberBox({
  name,
  label,
  unit,
  shownUnit = unit,
  value,
  hint,
  error,
  warning,
  look = 'plain',
}: {
  name: string;
  label: ReactNode;
  /** Undefined until the attribute is chosen. */
  unit: Unit | undefined;
  /** The unit as an element, for a form in which it follows the chosen attribute even without scripts. */
  shownUnit?: ReactNode;
  value: string | undefined;
  hint?: string | undefined;
  error: string | undefined;
  warning: string | undefined;
  look?: 'plain' | 'large';
}) {
  const id = useId();
  const box = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(value ?? '');
  // The user may have typed before hydration, or a draft may have filled in the value.
  useEffect(() => queueMicrotask(() => setText(box.current?.value ?? '')), []);
  const entered = unit === undefined || unit === 'kg' ? readNumber(text, '', unit) : readOneBox(text, unit);
  const isWarned = warning !== undefined && error === undefined;
  return (
    <FieldFrame
      id={id}
      name={name}
      label={
        <>
          {label}
          <span className="sr-only"> {shownUnit}</span>
        </>
      }
      hint={hint}
      error={error}
      warning={warning}
    >
      <div className="relative">
        <input
          ref={box}
          id={id}
          name={name}
          defaultValue={value}
          inputMode="decimal"
          enterKeyHint="next"
          autoComplete="off"
          maxLength={32}
          className={`field-box ${PADDING[unit ?? 'kg']} ${look === 'large' ? 'min-h-14 text-xl' : ''} ${isWarned ? 'border-2 border-due-edge' : ''}`}
          onInput={(event) => setText(event.currentTarget.value)}
          {...describedBy(id, hint, { error, warning })}
        />
        {unit === 'V' || unit === 'mV/V' ? <SignKey /> : null}
        <span
          aria-hidden="true"
          className="pointer-events-none absolute inset-y-0 right-3 flex items-center font-semibold text-ink-2"
        >
          {shownUnit}
        </span>
      </div>
      {error === undefined ? (
        <p className="min-h-5 text-sm text-ink-2" data-recorded-as>
          {entered.ok ? `${formatValue(entered.value)}${unit === undefined ? '' : `\u00a0${unit}`}` : ''}
        </p>
      ) : null}
    </FieldFrame>
  );
}
