import { useEffect, useRef, useState } from 'react';
import { Choice } from '#app/ui/choice.tsx';
import { TextField } from '#app/ui/field.tsx';
import { useIsHydrated } from '#app/ui/use-is-hydrated.ts';
import { axleWord, unitOf } from '#app/readings/calibration.ts';
import { GROUP_PARTS } from '#app/vehicles/group-details.ts';
import { USUAL_AXLES, type Axle } from '#app/vehicles/axle.ts';
import type { Output } from '#app/vehicles/outputs.ts';
import { ConfirmSlips } from './confirm-slips.tsx';
import { entryOutput, type Slip } from './entry-slips.ts';
import { NumberBox } from './number-box.tsx';

const ATTRIBUTE_CHOICES = ['Empty Volt', 'Loaded Volt', 'Empty Weight', 'Loaded Weight'].map((value) => ({
  value,
  label: value,
}));

export type EntryValues = { axle?: string; attribute?: string; value?: string; due_date?: string };

/**
 * The fields of a reading. `axles`: the groups of the truck; without any, those of the specification. A tap on an
 * attribute focuses the value, which saves a tap for each reading.
 */
export function EntryFields({
  axles,
  groupDetails,
  unit,
  values,
  errors,
  slips,
  dueHint,
  suggestedDue,
}: {
  /** Of the truck: they say the unit of each group's output. */
  groupDetails: string;
  /** Where the unit is chosen: the one that was recorded. */
  unit?: string;
  axles: readonly Axle[];
  values: EntryValues;
  errors: EntryValues;
  slips: readonly Slip[];
  dueHint: string;
  suggestedDue?: { day: string; label: string };
}) {
  const fields = useRef<HTMLDivElement>(null);
  const isHydrated = useIsHydrated();
  const [attribute, setAttribute] = useState(values.attribute);
  const [output, setOutput] = useState<Output>(entryOutput(unit ?? '', values.axle ?? '', groupDetails));
  const field = (selector: string) => fields.current?.querySelector<HTMLInputElement>(selector);
  const checked = (name: string) => field(`input[name="${name}"]:checked`)?.value;
  const readChosen = () => {
    setAttribute(checked('attribute'));
    setOutput(entryOutput(checked('unit') ?? '', checked('axle') ?? '', groupDetails));
  };
  // The user may have chosen before hydration.
  const readFirst = useRef(readChosen);
  useEffect(() => queueMicrotask(() => readFirst.current()), []);
  const isOutput = attribute?.endsWith('Volt') === true;
  const codes = slips.map(({ code }) => code).join(' ');
  return (
    <div ref={fields} className="group grid gap-5" onChange={readChosen}>
      <Choice
        name="axle"
        legend="Axle"
        options={(axles.length === 0 ? USUAL_AXLES : axles).map((axle) => ({ value: axle, label: axleWord(axle) }))}
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
      {unit === undefined ? null : (
        <Choice
          name="unit"
          legend="Unit of the output"
          options={GROUP_PARTS.output}
          columns="short"
          defaultValue={unit}
        />
      )}
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <NumberBox
          name="value"
          label="Value"
          unit={attribute === undefined || attribute === '' ? undefined : unitOf(attribute, output)}
          shownUnit={
            <>
              <span className="hidden group-has-[[value$=Volt]:checked]:inline">{output}</span>
              <span className="hidden group-has-[[value$=Weight]:checked]:inline">kg</span>
            </>
          }
          value={values.value}
          hint={isOutput && output !== 'V' ? 'Of a left and a right sensor both: 606/618.' : undefined}
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
