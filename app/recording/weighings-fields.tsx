// How each load was weighed: what the deck showed in place of a weight, its ticket, day and weighbridge, and what comes
// out of it. Without scripts all fields are there, and the tiles show and hide them.
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { ReferenceField } from '#app/references/reference-field.tsx';
import {
  comesOut,
  GROSS,
  grossWords,
  placeOf,
  wayName,
  WAYS,
  weighingName,
  type Part,
} from '#app/readings/weighings-entry.ts';
import { gridsIn } from '#app/readings/set-grid.ts';
import { LOADS, type Load } from '#app/readings/weighings.ts';
import { Choice } from '#app/ui/choice.tsx';
import { TextField } from '#app/ui/field.tsx';
import { axleLabel, type Axle } from '#app/vehicles/axle.ts';
import { NumberBox } from './number-box.tsx';

type Words = Readonly<Record<string, string | undefined>>;
/** `prefix`: of the names of the unit's fields in the form; the words are by the names without it. */
type OfUnit = { prefix: string; values: Words; errors: Words; warnings: Words };

/** The load of which a field is the weight. */
export const loadOfWeight = (field: string): Load | undefined =>
  LOADS.find(({ load }) => field === `${load}_weight`)?.load;

// Whole class names, which the style sheet is made of.
const WEIGHT_SHOWN = {
  empty: 'in-[form:has([name^=empty][value=steps]:checked)]:hidden',
  loaded: 'in-[form:has([name^=loaded][value=steps]:checked)]:hidden',
  check: 'in-[form:has([name^=check][value=steps]:checked)]:hidden',
} as const;
const DECK_SHOWN = {
  empty: 'hidden in-[form:has([name^=empty][value=steps]:checked)]:block',
  loaded: 'hidden in-[form:has([name^=loaded][value=steps]:checked)]:block',
  check: 'hidden in-[form:has([name^=check][value=steps]:checked)]:block',
} as const;

/** The box of a weight (`children`), and in its place what the deck shows where the load is weighed in steps. */
export function WeightOrDeck({
  axle,
  load,
  label,
  children,
  prefix,
  values,
  errors,
  warnings,
}: { axle: Axle; load: Load; label: ReactNode; children: ReactNode } & OfUnit) {
  const name = weighingName(axle, load, 'deck');
  return (
    <>
      <div className={WEIGHT_SHOWN[load]}>{children}</div>
      <div className={DECK_SHOWN[load]}>
        <NumberBox
          name={prefix + name}
          label={label}
          unit="kg"
          value={values[name]}
          error={errors[name]}
          warning={warnings[name]}
          look="large"
        />
        <ComesOut place={placeOf({ prefix, axle })} load={load} />
      </div>
    </>
  );
}

// What comes out of what stands in the form now.
function ComesOut({ place, load }: { place: string; load: Load }) {
  const note = useRef<HTMLParagraphElement>(null);
  const [words, setWords] = useState('');
  useEffect(() => {
    const form = note.current?.closest('form');
    if (form == null) return;
    const update = () => {
      const way = form.querySelector<HTMLInputElement>(`[name=${wayName(load)}]:checked`)?.value;
      // A group's own weight says itself what it is.
      if (place !== GROSS && way !== 'steps') return;
      const given = gridsIn(new FormData(form))[0]?.weighed;
      if (given === undefined) return;
      setWords(place === GROSS ? grossWords(given, load) : comesOut(given, place, load));
    };
    // A draft may fill the form in first.
    queueMicrotask(update);
    form.addEventListener('input', update);
    return () => form.removeEventListener('input', update);
  }, [place, load]);
  return (
    <p ref={note} className="min-h-5 text-sm font-semibold">
      {words}
    </p>
  );
}

/** The ways of the three loads, and the ticket of the whole of each. */
export function WeighedHow(own: Omit<OfUnit, 'prefix'>) {
  const form = { prefix: '', ...own };
  const isOpen = LOADS.some(
    ({ load }) => !['', 'each'].includes(form.values[wayName(load)] ?? '') || isFilled(GROSS, load, form),
  );
  return (
    <section className="card p-5 max-row:p-4" aria-label="How it was weighed">
      <details open={isOpen}>
        <summary className="flex min-h-11 items-center font-semibold text-accent underline underline-offset-3">
          Weighed several groups together, or the whole
        </summary>
        <p className="pb-4 text-sm text-ink-2">
          One after the other: type what the deck shows when a group has come onto it, with those before it. No sums:
          the masses of the groups appear below.
        </p>
        <div className="grid gap-5">
          {LOADS.map(({ load, label }) => (
            <div key={load} className="grid gap-3">
              <Choice
                name={wayName(load)}
                legend={label}
                options={WAYS}
                columns="three"
                defaultValue={form.values[wayName(load)] ?? 'each'}
              />
              <div className="grid items-start gap-4 sm:grid-cols-2">
                <div>
                  <GrossBox load={load} label={label} {...form} />
                  <ComesOut place={GROSS} load={load} />
                </div>
              </div>
              <OneWeighing place={GROSS} load={load} {...form} />
            </div>
          ))}
        </div>
      </details>
    </section>
  );
}

function GrossBox({ load, label, values, errors, warnings }: { load: Load; label: string } & OfUnit) {
  const name = weighingName(GROSS, load, 'deck');
  return (
    <NumberBox
      name={name}
      label={`${label}: the whole on the deck (optional)`}
      unit="kg"
      value={values[name]}
      error={errors[name]}
      warning={warnings[name]}
    />
  );
}

/** Ticket, day and weighbridge of each weighing of a group. */
export function WeighingsOf({ axle, ...form }: { axle: Axle } & OfUnit) {
  return LOADS.map(({ load, label }) => (
    <section key={load} aria-label={`${axleLabel(axle)}, ${label}`}>
      <OneWeighing place={axle} load={load} {...form} />
    </section>
  ));
}

/** Whether one of the details of a group's weighings is filled in or refused. */
export const hasWeighingDetails = (axle: Axle, { values, errors }: Pick<OfUnit, 'values' | 'errors'>): boolean =>
  LOADS.some(({ load }) => isFilled(axle, load, { values, errors }));

const PARTS: readonly Part[] = ['ticket', 'on', 'at', 'alone'];
const isFilled = (place: string, load: Load, { values, errors }: Pick<OfUnit, 'values' | 'errors'>): boolean =>
  [...PARTS, ...(place === GROSS ? ['deck' as const] : [])]
    .map((part) => weighingName(place, load, part))
    .some((name) => (values[name] ?? '') !== '' || errors[name] !== undefined);

function OneWeighing({ place, load, prefix, values, errors, warnings }: { place: string; load: Load } & OfUnit) {
  const at = (part: Part) => {
    const name = weighingName(place, load, part);
    return { name: prefix + name, defaultValue: values[name], error: errors[name], warning: warnings[name] };
  };
  const alone = at('alone');
  const loadWord = LOADS.find((one) => one.load === load)?.label ?? '';
  return (
    <details open={isFilled(place, load, { values, errors })}>
      <summary className="flex min-h-11 items-center font-semibold text-accent underline underline-offset-3">
        {`${loadWord}: its ticket, another day or bridge`}
      </summary>
      <div className="grid items-start gap-4 pt-2 sm:grid-cols-3">
        <TextField {...at('ticket')} label="Ticket" maxLength={60} />
        <TextField {...at('on')} label="Another day" type="date" />
        <ReferenceField
          {...at('at')}
          label="Another weighbridge"
          hint="It holds for the weighings after this one too."
        />
      </div>
      {place === GROSS ? null : (
        <div className={DECK_SHOWN[load]}>
          <label className="choice-tile mt-3">
            <input
              type="checkbox"
              name={alone.name}
              value="yes"
              defaultChecked={alone.defaultValue === 'yes'}
              className="size-5 shrink-0 accent-accent"
            />
            Only this group stood on the deck
          </label>
        </div>
      )}
    </details>
  );
}
