// What is wrong and what looks like a slip in the form of a calibration set, beside each field.
import { useState } from 'react';
import type { SetAnswer } from './set-door.server.ts';
import { isAxle, judgeGrid, type Judgement } from './set-grid.ts';

type Judged = {
  values: SetAnswer['values'];
  errors: Record<string, string | undefined>;
  warnings: Record<string, string>;
  codes: string;
};

// What the door answered, until a field is typed in again; and what the same rules say of the boxes as they are now, once
// one of them was left.
export function useJudgement(answer: SetAnswer | undefined): Judged & {
  onBlur: React.FocusEventHandler<HTMLFormElement>;
  onInput: React.FormEventHandler<HTMLFormElement>;
} {
  const [live, setLive] = useState<Judgement>();
  const [edited, setEdited] = useState<{ since: SetAnswer | undefined; names: readonly string[] }>({
    since: answer,
    names: [],
  });
  const names = edited.since === answer ? edited.names : [];
  const answered = Object.fromEntries(Object.entries(answer?.errors ?? {}).filter(([name]) => !names.includes(name)));
  return {
    values: answer?.values ?? {},
    errors: { ...answered, ...live?.errors },
    warnings:
      live === undefined
        ? (answer?.warnings ?? {})
        : {
            ...Object.fromEntries(Object.entries(live.warnings).map(([name, { message }]) => [name, message])),
            ...ofTheVisit(answer, names),
          },
    codes:
      live === undefined
        ? (answer?.codes ?? '')
        : [
            ...Object.values(live.warnings).map(({ code }) => code),
            ...(answer?.codes ?? '').split(' ').filter((code) => code.startsWith('visit_date:')),
          ].join(' '),
    onBlur: (event) => {
      const given = new FormData(event.currentTarget);
      const text = (name: string) => {
        const value = given.get(name);
        return typeof value === 'string' ? value : '';
      };
      const judged = judgeGrid({ axles: given.getAll('axle').map(String).filter(isAxle), text });
      if (JSON.stringify(judged) !== JSON.stringify(live)) setLive(judged);
    },
    onInput: (event) => {
      const { target } = event;
      if (!(target instanceof HTMLInputElement) || names.includes(target.name)) return;
      setEdited({ since: answer, names: [...names, target.name] });
    },
  };
}

function ofTheVisit(answer: SetAnswer | undefined, edited: readonly string[]): Record<string, string> {
  const old = answer?.warnings?.['visit_date'];
  return old === undefined || edited.includes('visit_date') ? {} : { visit_date: old };
}
