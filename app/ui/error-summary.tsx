import { useSyncExternalStore } from 'react';
import type { FormAnswer } from './form-answer.ts';

/** Links to the fields with an error, where several have one. It gets the focus (useFocusOnError). */
export function ErrorSummary({ answer }: { answer: Partial<Pick<FormAnswer, 'errors' | 'fileErrors'>> }) {
  const wrong = Object.entries({ ...answer.errors, ...answer.fileErrors }).filter(([, error]) => error !== undefined);
  if (wrong.length < 2) return null;
  return (
    <nav tabIndex={-1} aria-label="What is wrong" className="error-summary note note-error mb-5">
      <div className="min-w-0 py-1 wrap-anywhere">
        <strong>{`${wrong.length} fields need another look:`}</strong>
        <ul>
          {wrong.map(([name, error]) => (
            <Wrong key={name} name={name} error={error} />
          ))}
        </ul>
      </div>
    </nav>
  );
}

function Wrong({ name, error }: { name: string; error: string | undefined }) {
  // The field stands below and knows its label.
  const label = useSyncExternalStore(
    () => () => {},
    () => fieldOf(name)?.querySelector('label, legend')?.textContent ?? '',
    () => '',
  );
  return (
    <li>
      <a
        href={`#field-${name}`}
        className="inline-flex min-h-11 items-center"
        onClick={(event) => {
          const field = fieldOf(name);
          if (field === null) return;
          event.preventDefault();
          (field.querySelector<HTMLElement>('[aria-invalid], input, select, textarea') ?? field).focus();
        }}
      >
        {label === '' ? error : `${label}: ${error}`}
      </a>
    </li>
  );
}

const fieldOf = (name: string) =>
  document.querySelector<HTMLElement>(`[data-field="${name}"], main input[name="${name}"]:not([type="hidden"])`);
