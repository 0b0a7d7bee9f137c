// The units of a combination: a field for each, and empty ones, which count for nothing. So units are added and taken
// away without scripts too.
import { Form } from 'react-router';
import { describedBy, FieldNote, TextField } from '#app/ui/field.tsx';
import { UNITS_MAX } from './combination.ts';
import type { Given } from './answer-combination.server.ts';

const EMPTY = 2;
const FIRST = 3;

/** `error`: why there is no answer to all of them. */
export function CombinationForm({ given, error, on }: { given: readonly Given[]; error: string; on: string }) {
  const ofDay = given.length > UNITS_MAX || error === '' ? undefined : error;
  const fields = Math.max(given.length, Math.min(UNITS_MAX, Math.max(FIRST, given.length + EMPTY)));
  return (
    // Another answer has its own texts.
    <Form key={given.map(({ text }) => text).join(' ')} action="/combination" className="grid gap-4" noValidate>
      <p className="text-ink-2">{`From the front, by rego or VIN. Up to ${UNITS_MAX}; an empty field counts for nothing.`}</p>
      <div className="grid gap-4 sm:grid-cols-3">
        {Array.from({ length: fields }, (_, place) => (
          <UnitField
            key={place}
            place={place}
            text={given[place]?.text ?? ''}
            error={given[place]?.error || (place === UNITS_MAX ? error : '')}
          />
        ))}
      </div>
      <TextField name="on" type="date" label="On a day that is over (optional)" defaultValue={on} error={ofDay} />
      <div>
        <button type="submit" className="button-look button-primary max-sm:w-full sm:min-w-40">
          Check
        </button>
      </div>
    </Form>
  );
}

function UnitField({ place, text, error }: { place: number; text: string; error: string }) {
  const id = `unit-${place + 1}`;
  const wrong = error === '' ? undefined : error;
  return (
    <div className="grid content-start gap-1.5">
      <label htmlFor={id} className="font-semibold">
        {place === 0 ? 'Unit 1, in front' : `Unit ${place + 1}`}
      </label>
      <input
        id={id}
        name="unit"
        defaultValue={text}
        maxLength={60}
        autoCapitalize="characters"
        autoComplete="off"
        spellCheck={false}
        className="field-box"
        {...describedBy(id, undefined, { error: wrong })}
      />
      <FieldNote id={`${id}-note`} role="alert" error={wrong} />
    </div>
  );
}
