// The errors and likely slips that the form of one reading shows at its value.
import { useState } from 'react';
import { readNumber } from '#app/platform/http/entered-number.ts';
import type { FormAnswer } from '#app/ui/form-answer.ts';
import { useEdited } from './use-edited.ts';
import { AXLES, CALIBRATION_ATTRIBUTES, exampleOf, unitOf } from './calibration.ts';
import { slipsOf, type Reading, type Slip } from './entry-slips.ts';

type Fields = 'axle' | 'attribute' | 'value' | 'due_date' | 'reason';
export type EntryErrors = Partial<Record<Fields, string>>;
/** The action's answer: a new object each time. */
export type EntryAnswer = Pick<FormAnswer<Fields, { slips?: readonly Slip[] }>, 'errors' | 'more'>;

type Judged = { error: string | undefined; slips: readonly Slip[] };

/**
 * Shows the action's answer until a field is edited, and applies the same rules when a field loses focus. A message
 * disappears as soon as its cause is corrected. `beside`: the readings to compare with.
 */
export function useEntryJudgement(
  answer: EntryAnswer | undefined,
  beside: readonly Reading[],
): {
  errors: EntryErrors;
  slips: readonly Slip[];
  onBlur: React.FocusEventHandler<HTMLFormElement>;
  onInput: React.FormEventHandler<HTMLFormElement>;
} {
  const edited = useEdited(answer);
  const [live, setLive] = useState<{ since: EntryAnswer | undefined } & Judged>();
  const shown: Judged =
    live?.since === answer && live !== undefined
      ? live
      : { error: answer?.errors.value, slips: answer?.more?.slips ?? [] };
  const { value: _value, ...others } = edited.without(answer?.errors ?? {});
  return {
    errors: { ...others, ...(shown.error === undefined ? {} : { value: shown.error }) },
    slips: shown.slips,
    onBlur: (event) => {
      const judged = judge(event.currentTarget, beside);
      // Only sending the form reports an empty field.
      const error = judged.error ?? (isEmpty(event.currentTarget) ? shown.error : undefined);
      setLive({ since: answer, error, slips: judged.slips });
    },
    onInput: (event) => {
      edited.note(event.target);
      const judged = judge(event.currentTarget, beside);
      const codes = shown.slips.map(({ code }) => code);
      setLive({
        since: answer,
        error: shown.error === judged.error ? judged.error : undefined,
        slips: judged.slips.filter(({ code }) => codes.includes(code)),
      });
    },
  };
}

const textOf = (form: HTMLFormElement, name: string): string => String(new FormData(form).get(name) ?? '');
const isEmpty = (form: HTMLFormElement): boolean => textOf(form, 'value').trim() === '';

function judge(form: HTMLFormElement, beside: readonly Reading[]): Judged {
  if (isEmpty(form)) return { error: undefined, slips: [] };
  const chosen = CALIBRATION_ATTRIBUTES.find(({ attribute }) => attribute === textOf(form, 'attribute'));
  const entered = readNumber(
    textOf(form, 'value'),
    chosen === undefined ? '15640 or 3.18' : exampleOf(unitOf(chosen.attribute)),
  );
  if (!entered.ok) return { error: entered.message, slips: [] };
  if (chosen?.unit === 'kg' && entered.value.startsWith('-'))
    return { error: 'A weight cannot be below zero.', slips: [] };
  const axle = AXLES.find((one) => one.axle === textOf(form, 'axle').toUpperCase())?.axle;
  if (axle === undefined || chosen === undefined) return { error: undefined, slips: [] };
  return { error: undefined, slips: slipsOf({ axle, attribute: chosen.attribute, value: entered.value }, beside) };
}
