// The weighbridge of a visit: one finds it by typing, or types another one. Without scripts the text alone is sent, and
// the server matches it (match-reference.server.ts).
import { foldName } from '#app/platform/process/typed-text.ts';
import { useEffect, useId, useRef, useState } from 'react';
import { describedBy, FieldFrame, type FieldProps } from '#app/ui/field.tsx';
import { referenceLine, type State } from './reference.ts';

const TYPING_PAUSE_MS = 200;
export const REFERENCES_SUGGESTED = 8;

type Suggestion = { id: string; line: string };
/** Undefined: no answer came, and what was suggested stays. */
export type FindReferences = (text: string, signal: AbortSignal) => Promise<readonly Suggestion[] | undefined>;

/**
 * Sends `name`, the text, and of a visit's own weighbridge `reference_id`, empty for one that the register does not
 * have.
 */
export function ReferenceField({
  name = 'weighbridge',
  label = 'Weighbridge (optional)',
  hint = 'Where the truck was weighed. Type to find it in the register, or name another one.',
  defaultValue = '',
  defaultId = '',
  error,
  warning,
  maxLength = 200,
  find = findSuggestions,
  onLine,
}: Partial<Pick<FieldProps, 'name' | 'label' | 'hint' | 'defaultValue' | 'error' | 'warning'>> & {
  /** The weighbridge that `defaultValue` is the line of. */
  defaultId?: string | undefined;
  maxLength?: number;
  find?: FindReferences | undefined;
  /** The line of the weighbridge that is chosen; '' of one that the register does not have. */
  onLine?: (line: string) => void;
}) {
  const id = useId();
  const [suggestions, setSuggestions] = useState<readonly Suggestion[]>([]);
  const [chosen, setChosen] = useState(defaultId);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const asking = useRef<AbortController>(undefined);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      asking.current?.abort();
    },
    [],
  );
  const suggest = async (text: string) => {
    asking.current?.abort();
    asking.current = new AbortController();
    const found = text === '' ? [] : await find(text, asking.current.signal);
    if (found !== undefined) setSuggestions(found);
  };
  return (
    <FieldFrame id={id} name={name} label={label} hint={hint} error={error} warning={warning}>
      <input
        id={id}
        name={name}
        list={`${id}-list`}
        defaultValue={defaultValue}
        maxLength={maxLength}
        autoComplete="off"
        className="field-box"
        {...describedBy(id, hint, { error, warning })}
        onInput={(event) => {
          const text = event.currentTarget.value.trim();
          const found = suggestions.find(({ line }) => foldName(line) === foldName(text));
          setChosen(found?.id ?? '');
          onLine?.(found?.line ?? '');
          clearTimeout(timer.current);
          timer.current = setTimeout(() => void suggest(text), TYPING_PAUSE_MS);
        }}
      />
      <datalist id={`${id}-list`}>
        {suggestions.map(({ id: key, line }) => (
          <option key={key}>{line}</option>
        ))}
      </datalist>
      {name === 'weighbridge' ? <input type="hidden" name="reference_id" value={chosen} /> : null}
    </FieldFrame>
  );
}

async function findSuggestions(text: string, signal: AbortSignal): Promise<Suggestion[] | undefined> {
  try {
    const answer = await fetch(`/api/v1/references?q=${encodeURIComponent(text)}&limit=${REFERENCES_SUGGESTED}`, {
      signal,
    });
    if (!answer.ok) return undefined;
    const { items }: { items: { id: string; name: string; place: string; state: State }[] } = await answer.json();
    return items.map((item) => ({ id: item.id, line: referenceLine(item) }));
  } catch {
    return undefined;
  }
}
