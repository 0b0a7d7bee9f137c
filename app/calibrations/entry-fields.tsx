import { useRef } from 'react';
import { Choice } from '#app/ui/choice.tsx';
import { TextField } from '#app/ui/field.tsx';
import { useIsAwake } from '#app/ui/use-is-awake.ts';

/** As the specification writes them. */
const AXLE_CHOICES = [
  { value: 'STEER', label: 'steer' },
  { value: 'DRIVE', label: 'drive' },
  { value: 'TRAILERA', label: 'trailerA' },
  { value: 'TRAILERB', label: 'trailerB' },
] as const;
const ATTRIBUTE_CHOICES = ['Empty Volt', 'Loaded Volt', 'Empty Weight', 'Loaded Weight'].map((value) => ({
  value,
  label: value,
}));

export type EntryValues = { axle?: string; attribute?: string; value?: string; due_date?: string };

/** What a reading is made of. After a tap on an attribute the value has the focus: one tap less for each. */
export function EntryFields({
  values,
  errors,
  dueHint,
  suggestedDue,
}: {
  values: EntryValues;
  errors: EntryValues;
  dueHint: string;
  suggestedDue?: { day: string; label: string };
}) {
  const fields = useRef<HTMLDivElement>(null);
  const isAwake = useIsAwake();
  const field = (name: string) => fields.current?.querySelector<HTMLInputElement>(`input[name="${name}"]`);
  return (
    <div ref={fields} className="grid gap-5">
      <Choice
        name="axle"
        legend="Axle"
        options={AXLE_CHOICES}
        columns="four"
        defaultValue={values.axle}
        error={errors.axle}
      />
      <Choice
        name="attribute"
        legend="Attribute"
        options={ATTRIBUTE_CHOICES}
        columns="two"
        defaultValue={values.attribute}
        error={errors.attribute}
        onTap={() => field('value')?.focus()}
      />
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <TextField
          name="value"
          label="Value"
          hint="V or kg, exactly as read."
          inputMode="decimal"
          autoComplete="off"
          maxLength={32}
          defaultValue={values.value}
          error={errors.value}
        />
        <div>
          <TextField
            name="due_date"
            label="Calibration due date"
            hint={dueHint}
            type="date"
            defaultValue={values.due_date}
            error={errors.due_date}
          />
          {suggestedDue === undefined ? null : (
            <button
              type="button"
              className={`scripted-only mt-1 min-h-11 cursor-pointer text-accent underline ${isAwake ? '' : 'invisible'}`}
              onClick={() => {
                const due = field('due_date');
                if (due != null) due.value = suggestedDue.day;
              }}
            >
              {suggestedDue.label}
            </button>
          )}
        </div>
      </div>
    </div>
  );
}
