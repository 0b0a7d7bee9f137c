// The errors and likely slips that the form of one reading shows at its value.
import { useState } from 'react';
import { readNumber } from '#app/platform/http/entered-number.ts';
import type { FormAnswer } from '#app/ui/form-answer.ts';
import { useEdited } from './use-edited.ts';
import { AXLES } from '#app/vehicles/axle.ts';
import { CALIBRATION_ATTRIBUTES } from '#app/readings/calibration.ts';
import { exampleOf, storedUnit } from '#app/readings/reading-words.ts';
import { readOneBox } from '#app/readings/grid-outputs.ts';
import { entryOutput, slipsOf, type Beside, type Reading, type Slip } from './entry-slips.ts';

type Fields = 'axle' | 'attribute' | 'value' | 'due_date' | 'reason';
export type EntryErrors = Partial<Record<Fields, string>>;
/** The action's answer: a new object each time. */
export type EntryAnswer = Pick<FormAnswer<Fields, { slips?: readonly Slip[] }>, 'errors' | 'more'>;

type EntryRemarks = { error: string | undefined; reading: Reading | undefined };
/** `only`: the slips to show, if not all. */
type Live = EntryRemarks & { since: EntryAnswer | undefined; only: readonly Slip['code'][] | undefined };

/**
 * Shows the action's answer until a field is edited, and applies the same rules when a field loses focus. A message
 * disappears as soon as its cause is corrected. `beside`: the readings to compare with, also if they arrive later.
 */
export function useEntryRemarks(
  answer: EntryAnswer | undefined,
  beside: Beside,
): {
  errors: EntryErrors;
  slips: readonly Slip[];
  onBlur: React.FocusEventHandler<HTMLFormElement>;
  onInput: React.FormEventHandler<HTMLFormElement>;
} {
  const edited = useEdited(answer);
  const [live, setLive] = useState<Live>();
  const isLive = live !== undefined && live.since === answer;
  const error = isLive ? live.error : answer?.errors.value;
  const slips = isLive ? slipsShown(live, beside) : (answer?.more?.slips ?? []);
  const { value: _value, ...others } = edited.without(answer?.errors ?? {});
  return {
    errors: { ...others, ...(error === undefined ? {} : { value: error }) },
    slips,
    onBlur: (event) => {
      const judged = judge(event.currentTarget, beside);
      // Only sending the form reports an empty field.
      const shown = judged.error ?? (isEmpty(event.currentTarget) ? error : undefined);
      setLive({ since: answer, error: shown, reading: judged.reading, only: undefined });
    },
    onInput: (event) => {
      edited.note(event.target);
      const judged = judge(event.currentTarget, beside);
      setLive({
        since: answer,
        error: error === judged.error ? error : undefined,
        reading: judged.reading,
        only: slips.map(({ code }) => code),
      });
    },
  };
}

function slipsShown({ reading, only }: Live, beside: Beside): readonly Slip[] {
  if (reading === undefined) return [];
  return slipsOf(reading, beside).filter(({ code }) => only === undefined || only.includes(code));
}

const textOf = (form: HTMLFormElement, name: string): string => String(new FormData(form).get(name) ?? '');
const isEmpty = (form: HTMLFormElement): boolean => textOf(form, 'value').trim() === '';

function judge(form: HTMLFormElement, { groupDetails }: Beside): EntryRemarks {
  const nothing = { error: undefined, reading: undefined };
  if (isEmpty(form)) return nothing;
  const chosen = CALIBRATION_ATTRIBUTES.find(({ attribute }) => attribute === textOf(form, 'attribute'));
  const axle = AXLES.find((one) => one.axle === textOf(form, 'axle').toUpperCase())?.axle;
  const output = entryOutput(textOf(form, 'unit'), axle ?? '', groupDetails);
  const entered =
    chosen?.unit === 'V'
      ? readOneBox(textOf(form, 'value'), output)
      : readNumber(
          textOf(form, 'value'),
          chosen === undefined ? '15640 or 3.18' : exampleOf(chosen.unit),
          chosen?.unit,
        );
  if (!entered.ok) return { error: entered.message, reading: undefined };
  if (chosen?.unit === 'kg' && entered.value.startsWith('-'))
    return { error: 'A weight cannot be below zero.', reading: undefined };
  if (axle === undefined || chosen === undefined) return nothing;
  const unit = storedUnit(chosen.attribute, output);
  return { error: undefined, reading: { axle, attribute: chosen.attribute, value: entered.value, unit } };
}
