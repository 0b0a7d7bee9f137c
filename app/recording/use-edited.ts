import { useState } from 'react';

/** The fields that were edited since the action's latest `answer`. Its errors no longer apply to them. */
export function useEdited(answer: object | undefined): {
  names: readonly string[];
  note: (target: EventTarget) => void;
  without: <Errors extends object>(errors: Errors) => Partial<Errors>;
} {
  const [edited, setEdited] = useState<{ since: object | undefined; names: readonly string[] }>({
    since: answer,
    names: [],
  });
  const names = edited.since === answer ? edited.names : [];
  return {
    names,
    note: (target) => {
      const isField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
      if (isField && !names.includes(target.name)) setEdited({ since: answer, names: [...names, target.name] });
    },
    without: (errors) => {
      const left = { ...errors };
      for (const name of names) Reflect.deleteProperty(left, name);
      return left;
    },
  };
}
