import { useId, useLayoutEffect, useRef, useState, type ComponentProps } from 'react';

/**
 * The input of a day. An empty one says "No date" beside it: some browsers show today's date in grey there, which looks
 * as if it were set. Without scripts nothing could take that back, so it is not said.
 */
export function DateBox({ onInput, ...input }: ComponentProps<'input'>) {
  const [isEmpty, setIsEmpty] = useState((input.defaultValue ?? '') === '');
  const id = useId();
  const box = useRef<HTMLInputElement>(null);
  const look = () => setIsEmpty(box.current?.value === '');
  // After each render: a draft fills fields in without an event.
  useLayoutEffect(look);
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      <input
        {...input}
        ref={box}
        type="date"
        aria-describedby={[input['aria-describedby'], ...(isEmpty ? [id] : [])].join(' ').trim() || undefined}
        className="field-box min-w-32 flex-1 font-normal"
        onInput={(event) => {
          look();
          onInput?.(event);
        }}
      />
      {isEmpty ? (
        <span id={id} aria-hidden="true" className="scripted-only shrink-0 text-sm font-normal text-ink-2">
          No date
        </span>
      ) : null}
    </span>
  );
}
