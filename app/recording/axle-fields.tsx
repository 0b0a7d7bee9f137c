import { axleLabel, isTrailer, type Axle } from '#app/vehicles/axle.ts';
import { NumberBox } from './number-box.tsx';
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
  axle,
  isChosen,
  values,
  errors,
  warnings,
}: {
  axle: Axle;
  isChosen: boolean;
  values: Words;
  errors: Words;
  warnings: Words;
}) {
  const label = axleLabel(axle);
  const at = (field: GridField) => {
    const name = nameOf(axle, field);
    return { name, value: values[name], error: errors[name], warning: warnings[name], look: 'large' as const };
  };
  const labelOf = (reading: string) => (
    <>
      <span className="sr-only">{`${label}: `}</span>
      <span className="max-row:text-sm">{reading}</span>
    </>
  );
  const choices = [
    { name: nameOf(axle, 'sensor_replaced'), words: 'The sensor was replaced' },
    ...(isTrailer(axle) ? [{ name: nameOf(axle, 'other_trailer'), words: 'Another trailer than the last time' }] : []),
  ];
  const names = [...EXTRA_FIELDS.map(({ field }) => nameOf(axle, field)), ...choices.map(({ name }) => name)];
  const isMore = names.some((name) => (values[name] ?? '') !== '' || errors[name] !== undefined);
  return (
    <section id={axleId(axle)} className="group card" aria-label={label}>
      <label className="flex min-h-14 cursor-pointer items-center gap-3 px-5 py-2 text-lg font-bold max-row:px-4">
        <input
          type="checkbox"
          name="axle"
          value={axle}
          defaultChecked={isChosen}
          className="size-6 shrink-0 accent-accent"
        />
        {label}
      </label>
      {isTrailer(axle) ? (
        <label className="flex min-h-11 cursor-pointer items-center gap-3 border-t border-line px-5 max-row:px-4 group-has-[[name=axle]:checked]:hidden">
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
      <div className="grid gap-4 border-t border-line p-5 max-row:p-4 group-has-[[name=axle]:not(:checked)]:hidden">
        <div className="grid grid-cols-2 items-start gap-4 sm:grid-cols-4">
          {READING_FIELDS.map(({ field, label: reading, unit }) => (
            <NumberBox key={field} {...at(field)} label={labelOf(reading)} unit={unit} />
          ))}
        </div>
        <details id={asFoundId(axle)} open={isMore}>
          <summary className="flex min-h-11 items-center font-semibold text-accent underline underline-offset-3">
            Check load, as found, sensor
          </summary>
          <div className="grid gap-4 pt-3">
            <p className="text-sm text-ink-2">
              A check load is another load, weighed after adjustment. As found is what the display showed before
              adjustment.
            </p>
            <div className="grid grid-cols-2 items-start gap-4 sm:grid-cols-4">
              {EXTRA_FIELDS.map(({ field, label: reading, unit }) => (
                <NumberBox key={field} {...at(field)} label={labelOf(reading)} unit={unit} />
              ))}
            </div>
            {choices.map(({ name, words }) => (
              <label key={name} className="choice-tile">
                <input
                  type="checkbox"
                  name={name}
                  value="yes"
                  defaultChecked={values[name] === 'yes'}
                  className="size-5 shrink-0 accent-accent"
                />
                {words}
              </label>
            ))}
          </div>
        </details>
      </div>
    </section>
  );
}
