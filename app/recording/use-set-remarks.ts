// The errors and likely slips that the form of a calibration set shows at its fields.
import { useState } from 'react';
import { useEdited } from './use-edited.ts';
import type { SetAnswer } from './set-answer.ts';
import { dueRefusal } from './due-refusal.ts';
import { gridsIn, judgeGrids, type GridRemarks } from '#app/readings/set-grid.ts';

// Shows the action's answer until a field is edited, and applies the same rules when a field loses focus. A message
// disappears as soon as its cause is corrected.
export function useSetRemarks(answer: SetAnswer | undefined, longestIntervalDays: number) {
  const [live, setLive] = useState<GridRemarks>();
  const edited = useEdited(answer);
  const update = (remarks: GridRemarks) => {
    if (JSON.stringify(remarks) !== JSON.stringify(live)) setLive(remarks);
  };
  return {
    values: answer?.values ?? {},
    errors: { ...edited.without(answer?.errors ?? {}), ...live?.errors },
    warnings:
      live === undefined
        ? (answer?.more?.warnings ?? {})
        : {
            ...Object.fromEntries(Object.entries(live.warnings).map(([name, { message }]) => [name, message])),
            ...ofTheVisit(answer, edited.names),
          },
    codes:
      live === undefined
        ? (answer?.more?.codes ?? '')
        : [
            ...Object.values(live.warnings).map(({ code }) => code),
            ...(answer?.more?.codes ?? '').split(' ').filter((code) => code.startsWith('visit_date:')),
          ].join(' '),
    onBlur: (event: React.FocusEvent<HTMLFormElement>) => update(judgeForm(event.currentTarget, longestIntervalDays)),
    onInput: (event: React.FormEvent<HTMLFormElement>) => {
      edited.note(event.target);
      if (live === undefined) return;
      const { errors, warnings } = judgeForm(event.currentTarget, longestIntervalDays);
      update({
        errors: shownStill(errors, live.errors, (now, before) => now === before),
        warnings: shownStill(warnings, live.warnings, (now, before) => now.code === before.code),
      });
    },
  };
}

function judgeForm(form: HTMLFormElement, longestIntervalDays: number): GridRemarks {
  const given = new FormData(form);
  const { errors, warnings } = judgeGrids(gridsIn(given));
  const due = String(given.get('due_date') ?? '');
  const refusal = due === '' ? undefined : dueRefusal(due, String(given.get('visit_date') ?? ''), longestIntervalDays);
  return { errors: refusal === undefined ? errors : { ...errors, due_date: refusal }, warnings };
}

function shownStill<T>(
  now: Record<string, T>,
  before: Record<string, T>,
  isSame: (now: T, before: T) => boolean,
): Record<string, T> {
  return Object.fromEntries(
    Object.entries(now).filter(([name, found]) => before[name] !== undefined && isSame(found, before[name])),
  );
}

function ofTheVisit(answer: SetAnswer | undefined, edited: readonly string[]): Record<string, string> {
  const old = answer?.more?.warnings['visit_date'];
  return old === undefined || edited.includes('visit_date') ? {} : { visit_date: old };
}
