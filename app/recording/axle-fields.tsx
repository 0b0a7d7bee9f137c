import { axleLabel, isTrailer, type Axle } from '#app/vehicles/axle.ts';
import { useEffect, useRef, useState } from 'react';
import { TextAreaField, TextField } from '#app/ui/field.tsx';
import { detailName, detailsOfForm, NO_DETAILS, outputOf, type GroupDetails } from '#app/vehicles/group-details.ts';
import { GroupQuestion, isSensorAsked, SensorQuestion } from './group-question.tsx';
import { NumberBox } from './number-box.tsx';
import { hasWeighingDetails, loadOfWeight, WeighingsOf, WeightOrDeck } from './weighings-fields.tsx';
import type { Unit } from '#app/readings/calibration.ts';
import { OutputBox } from './output-box.tsx';
import { attributeWords, exampleOf } from '#app/readings/reading-words.ts';
import { EXTRA_FIELDS, nameOf, READING_FIELDS, type GridField } from '#app/readings/set-grid.ts';

type Words = Readonly<Record<string, string | undefined>>;

/** The ids of its parts, to which links lead. */
export const axleId = (axle: Axle): string => `axle-${axle}`;
export const asFoundId = (axle: Axle): string => `as-found-${axle}`;

/**
 * The readings of one axle. The tick box says that the truck has the axle; without it the inputs are hidden and
 * ignored.
 */
export function AxleFields({
  prefix = '',
  axle,
  isChosen,
  known,
  values,
  errors,
  warnings,
}: {
  /** Of the names of its inputs: of a unit beside the form's own vehicle. */
  prefix?: string;
  axle: Axle;
  isChosen: boolean;
  /** What its vehicle's record has of the group. */
  known: GroupDetails | undefined;
  values: Words;
  errors: Words;
  warnings: Words;
}) {
  const label = axleLabel(axle);
  const own = { prefix, values, errors, warnings };
  const section = useRef<HTMLElement>(null);
  const [given, setGiven] = useState<Words>({});
  const isAsked = isSensorAsked(known);
  const details = detailsOfForm([axle], (name) => given[name] ?? values[name] ?? '')[axle] ?? NO_DETAILS;
  const said =
    known === undefined
      ? details
      : { ...known, ...(isAsked ? { sensors: details.sensors, output: details.output } : {}) };
  const unit = outputOf(said);
  const chosen = () =>
    [...(section.current?.querySelectorAll('input') ?? [])].flatMap(({ type, name, value, checked }) =>
      (type === 'radio' && checked) || name === `${prefix}${detailName(axle, 'kg')}`
        ? [[name.slice(prefix.length), value]]
        : [],
    );
  const readChosen = () => setGiven(Object.fromEntries(chosen()));
  const readFirst = useRef(readChosen);
  // A draft may have chosen, or the user before hydration.
  useEffect(() => queueMicrotask(() => readFirst.current()), []);
  const at = (field: GridField) => {
    const name = nameOf(axle, field);
    return {
      name: prefix + name,
      value: values[name],
      error: errors[name],
      warning: warnings[name],
      look: 'large' as const,
    };
  };
  const labelOf = (reading: string) => (
    <>
      <span className="sr-only">{`${label}: `}</span>
      <span className="max-row:text-sm">{reading}</span>
    </>
  );
  const boxOf = ({ field, label: reading, unit: of }: { field: GridField; label: string; unit: Unit }) => {
    if (of === 'V')
      return (
        <OutputBox
          key={field}
          {...at(field)}
          prefix={prefix}
          label={label}
          reading={attributeWords(reading, unit)}
          unit={unit}
          sensors={isAsked ? 'asked' : said.sensors}
          words={{ values, errors, warnings }}
        />
      );
    const typed = <NumberBox key={field} {...at(field)} label={labelOf(reading)} unit={of} />;
    const load = loadOfWeight(field);
    return load === undefined ? (
      typed
    ) : (
      <WeightOrDeck key={field} axle={axle} load={load} label={labelOf(`Deck, ${load}`)} {...own}>
        {typed}
      </WeightOrDeck>
    );
  };
  const choices = [
    { name: nameOf(axle, 'sensor_replaced'), words: 'The sensor was replaced' },
    ...(isTrailer(axle) ? [{ name: nameOf(axle, 'other_trailer'), words: 'Another trailer than the last time' }] : []),
  ];
  const names = [
    nameOf(axle, 'more_checks'),
    ...EXTRA_FIELDS.map(({ field }) => nameOf(axle, field)),
    ...choices.map(({ name }) => name),
  ];
  const isMore =
    hasWeighingDetails(axle, own) || names.some((name) => (values[name] ?? '') !== '' || errors[name] !== undefined);
  return (
    <section
      ref={section}
      id={prefix === '' ? axleId(axle) : undefined}
      className="group card"
      aria-label={label}
      onInput={readChosen}
    >
      <label className="flex min-h-14 cursor-pointer items-center gap-3 px-5 py-2 text-lg font-bold max-row:px-4">
        <input
          type="checkbox"
          name={`${prefix}axle`}
          value={axle}
          defaultChecked={isChosen}
          className="size-6 shrink-0 accent-accent"
        />
        {label}
      </label>
      {isTrailer(axle) ? (
        <label className="flex min-h-11 cursor-pointer items-center gap-3 border-t border-line px-5 max-row:px-4 group-has-[[name$=axle]:checked]:hidden">
          <input
            type="checkbox"
            name={nameOf(axle, 'not_behind')}
            value="yes"
            defaultChecked={values[nameOf(axle, 'not_behind')] === 'yes'}
            className="size-5 shrink-0 accent-accent"
          />
          Not behind the truck today
        </label>
      ) : null}
      <div className="grid gap-4 border-t border-line p-5 max-row:p-4 group-has-[[name$=axle]:not(:checked)]:hidden">
        <GroupQuestion
          prefix={prefix}
          axle={axle}
          known={known}
          said={said}
          values={values}
          error={errors[detailName(axle, 'kg')]}
        />
        {isTrailer(axle) ? (
          <TextField
            name={nameOf(axle, 'trailer')}
            label="Trailer behind it today (optional)"
            hint="Its rego. The page will say: taken with this trailer."
            maxLength={40}
            autoCapitalize="characters"
            autoComplete="off"
            defaultValue={values[nameOf(axle, 'trailer')]}
            error={errors[nameOf(axle, 'trailer')]}
          />
        ) : null}
        <div className="grid grid-cols-2 items-start gap-4 sm:grid-cols-4">{READING_FIELDS.map(boxOf)}</div>
        {isAsked ? <SensorQuestion prefix={prefix} axle={axle} values={values} /> : null}
        <details id={prefix === '' ? asFoundId(axle) : undefined} open={isMore}>
          <summary className="flex min-h-11 items-center font-semibold text-accent underline underline-offset-3">
            Check load, as found, sensor, tickets
          </summary>
          <div className="grid gap-4 pt-3">
            <p className="text-sm text-ink-2">
              A check load is another load, weighed after adjustment. As found is what the display showed before
              adjustment.
            </p>
            <div className="grid grid-cols-2 items-start gap-4 sm:grid-cols-4">{EXTRA_FIELDS.map(boxOf)}</div>
            <TextAreaField
              name={prefix + nameOf(axle, 'more_checks')}
              label="More check loads (optional)"
              hint={`One a line, up to 9: ${said.sensors === 'left-right' ? 'left/right output' : 'output'} and kilograms, such as ${exampleOf(unit)} 10460.`}
              defaultValue={values[nameOf(axle, 'more_checks')]}
              error={errors[nameOf(axle, 'more_checks')]}
              rows={2}
              maxLength={500}
            />
            {choices.map(({ name, words }) => (
              <label key={name} className="choice-tile">
                <input
                  type="checkbox"
                  name={prefix + name}
                  value="yes"
                  defaultChecked={values[name] === 'yes'}
                  className="size-5 shrink-0 accent-accent"
                />
                {words}
              </label>
            ))}
            <WeighingsOf axle={axle} {...own} />
          </div>
        </details>
      </div>
    </section>
  );
}
