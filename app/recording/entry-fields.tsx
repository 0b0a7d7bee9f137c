import { useEffect, useRef, useState } from 'react';
import { Choice } from '#app/ui/choice.tsx';
import { TextField } from '#app/ui/field.tsx';
import { useIsHydrated } from '#app/ui/use-is-hydrated.ts';
import { AXLE_WORDS, CALIBRATION_ATTRIBUTES } from '#app/readings/calibration.ts';
import { ConfirmSlips } from './confirm-slips.tsx';
import type { Slip } from './entry-slips.ts';
import { NumberBox } from './number-box.tsx';

const AXLE_CHOICES = AXLE_WORDS.map((label) => ({ value: label.toUpperCase(), label }));
const ATTRIBUTE_CHOICES = ['Empty Volt', 'Loaded Volt', 'Empty Weight', 'Loaded Weight'].map((value) => ({
  value,
  label: value,
}));

export type EntryValues = { axle?: string; attribute?: string; value?: string; due_date?: string };

/** The fields of a reading. A tap on an attribute focuses the value, which saves a tap for each reading. */
export function EntryFields({
  values,
  errors,
  slips,
  dueHint,
  suggestedDue,
}: {
  values: EntryValues;
  errors: EntryValues;
  slips: readonly Slip[];
  dueHint: string;
  suggestedDue?: { day: string; label: string };
}) {
  const fields = useRef<HTMLDivElement>(null);
  const isHydrated = useIsHydrated();
  const [attribute, setAttribute] = useState(values.attribute);
  const field = (selector: string) => fields.current?.querySelector<HTMLInputElement>(selector);
  const readAttribute = () => setAttribute(field('input[name="attribute"]:checked')?.value);
  // The user may have chosen before hydration.
  useEffect(() => {
    const chosen = fields.current?.querySelector<HTMLInputElement>('input[name="attribute"]:checked');
    queueMicrotask(() => setAttribute(chosen?.value));
  }, []);
  const codes = slips.map(({ code }) => code).join(' ');
  return (
    <div ref={fields} className="group grid gap-5" onChange={readAttribute}>
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
        onTap={() => field('input[name="value"]')?.focus()}
      />
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <NumberBox
          name="value"
          label="Value"
          unit={CALIBRATION_ATTRIBUTES.find((known) => known.attribute === attribute)?.unit}
          shownUnit={
            <>
              <span className="hidden group-has-[[value$=Volt]:checked]:inline">V</span>
              <span className="hidden group-has-[[value$=Weight]:checked]:inline">kg</span>
            </>
          }
          value={values.value}
          error={errors.value}
          warning={slips.length === 0 ? undefined : slips.map(({ message }) => message).join(' ')}
        />
        {slips.length === 0 ? null : (
          <div className="sm:order-last sm:col-span-2">
            <ConfirmSlips
              key={codes}
              codes={codes}
              found="This value looks like a slip. Check it."
              confirm="This reading is correct: record it"
            />
          </div>
        )}
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
              className={`scripted-only mt-1 min-h-11 cursor-pointer text-accent underline ${isHydrated ? '' : 'invisible'}`}
              onClick={() => {
                const due = field('input[name="due_date"]');
                if (due == null) return;
                due.value = suggestedDue.day;
                due.dispatchEvent(new Event('input', { bubbles: true }));
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
