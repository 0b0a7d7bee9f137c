import { useEffect, useRef, useState } from 'react';
import { draftStorage, readDraft, type Draft } from './drafts.ts';

/**
 * Stores what is typed into a form, so that it survives a reload, or a phone's browser that discards the page. The
 * draft is in the storage of the browser, under `key`, until `isSaved`. It holds the fields that `isKept` accepts,
 * and the hidden field `hidden`. Without storage nothing is stored. Returns the values of a draft that was
 * restored, and `keep`, which stores the form's present state.
 */
export function useDraft(
  form: React.RefObject<HTMLFormElement | null>,
  key: string,
  { isKept, hidden, isSaved }: { isKept: (name: string) => boolean; hidden: string; isSaved: boolean },
): { restored: ReadonlyMap<string, string> | undefined; keep: () => void } {
  const [restored, setRestored] = useState<ReadonlyMap<string, string>>();
  const isRead = useRef(false);
  useEffect(() => {
    if (isRead.current || form.current === null) return;
    isRead.current = true;
    const draft = readDraft(key);
    if (draft === undefined) return;
    const isChanged = fillIn(form.current, draft, isKept);
    // The idempotency key is restored too: sent again after a lost answer, it is the same form.
    if (!isChanged) return;
    queueMicrotask(() => setRestored(new Map(draft.values)));
  }, [form, key, isKept]);
  useEffect(() => {
    if (isSaved) draftStorage()?.removeItem(key);
  }, [isSaved, key]);
  return {
    restored,
    keep: () => {
      if (form.current === null) return;
      const values = [...new FormData(form.current)].flatMap(([name, value]): [string, string][] =>
        typeof value === 'string' && (name === hidden || isKept(name)) ? [[name, value]] : [],
      );
      try {
        draftStorage()?.setItem(key, JSON.stringify({ at: Date.now(), values } satisfies Draft));
      } catch {
        // The storage is full or not allowed: then there is no draft.
      }
    },
  };
}

// Skips fields that differ from their default: those were typed before the scripts ran, so they are newer.
function fillIn(form: HTMLFormElement, { values: kept }: Draft, isKept: (name: string) => boolean): boolean {
  let isChanged = false;
  for (const field of form.elements) {
    const isText = field instanceof HTMLTextAreaElement;
    if (!(field instanceof HTMLInputElement || isText) || !isKept(field.name)) continue;
    const values = kept.flatMap(([name, value]) => (name === field.name ? [value] : []));
    if (!isText && (field.type === 'checkbox' || field.type === 'radio')) {
      const isChecked = values.includes(field.value);
      if (field.checked !== field.defaultChecked || field.checked === isChecked) continue;
      field.checked = isChecked;
    } else {
      const [value = ''] = values;
      if (field.value !== field.defaultValue || field.value === value) continue;
      field.value = value;
    }
    isChanged = true;
  }
  return isChanged;
}
