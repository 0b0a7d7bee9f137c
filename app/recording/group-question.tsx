// Which axles and tyres a group has: asked with tiles where nobody has said it, and may stay unknown. No load is
// advised then, because advice must never exceed the law.
import { loadAdvice } from '#app/readings/calibration-line.ts';
import { referenceOf } from '#app/readings/reference-masses.ts';
import { formatValue } from '#app/readings/calibration.ts';
import { Choice } from '#app/ui/choice.tsx';
import { TextField } from '#app/ui/field.tsx';
import { AxlePicture } from '#app/vehicles/axle-picture.tsx';
import { isTrailer, type Axle } from '#app/vehicles/axle.ts';
import {
  detailName,
  detailsWords,
  GROUP_PARTS,
  PARTS,
  UNKNOWN,
  USUAL_TRUCK,
  USUAL_TRUCKS,
  type GroupDetails,
} from '#app/vehicles/group-details.ts';

type Words = Readonly<Record<string, string | undefined>>;

const NOT_KNOWN = { value: UNKNOWN, label: 'Not known' };

function axlesOf(axle: Axle): readonly string[] {
  if (axle === 'STEER') return ['single', 'twin-steer'];
  return isTrailer(axle) || axle === 'REAR' ? ['single', 'tandem', 'tri', 'quad'] : ['single', 'tandem', 'tri'];
}

/** `known`: what the record has of the group; undefined: nothing yet. */
export function GroupQuestion({
  prefix,
  axle,
  known,
  said,
  values,
  error,
}: {
  prefix: string;
  /** What the form says of it by now. */
  said: GroupDetails;
  axle: Axle;
  known: GroupDetails | undefined;
  values: Words;
  error: string | undefined;
}) {
  if (known !== undefined)
    return (
      <p className="text-sm text-ink-2">
        {`${detailsWords(known)}. `}
        <Advice axle={axle} details={known} />
        {[...PARTS, 'kg' as const]
          .filter((part) => !isSensorAsked(known) || (part !== 'sensors' && part !== 'output'))
          .map((part) => (
            <input key={part} type="hidden" name={prefix + detailName(axle, part)} value={known[part]} />
          ))}
      </p>
    );
  return (
    <details
      open={
        [...PARTS, 'kg' as const].some((part) => (values[detailName(axle, part)] ?? '') !== '') || error !== undefined
      }
    >
      <summary className="flex min-h-11 flex-wrap items-center gap-x-3">
        <span className="font-semibold text-accent underline underline-offset-3">Say which axles</span>
        <span className="text-sm text-ink-2">
          <Advice axle={axle} details={said} />
        </span>
      </summary>
      <div className="grid gap-4 pt-2">
        <Choice
          name={prefix + detailName(axle, 'axles')}
          legend="Axles"
          options={[...GROUP_PARTS.axles.filter(({ value }) => axlesOf(axle).includes(value)), NOT_KNOWN]}
          columns="short"
          defaultValue={values[detailName(axle, 'axles')] ?? ''}
        />
        {axle === 'STEER' ? null : (
          <Choice
            name={prefix + detailName(axle, 'tyres')}
            legend="Tyres"
            options={[...GROUP_PARTS.tyres, NOT_KNOWN]}
            columns="short"
            defaultValue={values[detailName(axle, 'tyres')] ?? ''}
          />
        )}
        {said.axles !== '' && referenceOf(axle, { ...said, kg: '' }) === undefined ? (
          <TextField
            name={prefix + detailName(axle, 'kg')}
            label="Reference mass, kg (optional)"
            hint="The mass that this group may carry. The common table has none for it."
            inputMode="numeric"
            maxLength={12}
            defaultValue={values[detailName(axle, 'kg')]}
            error={error}
          />
        ) : null}
      </div>
    </details>
  );
}

/** Asked while nobody has said it: most have one sensor, in V. */
export const isSensorAsked = (known: GroupDetails | undefined): boolean =>
  known === undefined || (known.sensors === '' && known.output === '');

/** Which sensors the group has, and in what unit they speak. */
export function SensorQuestion({ prefix, axle, values }: { prefix: string; axle: Axle; values: Words }) {
  const name = (part: 'sensors' | 'output') => detailName(axle, part);
  return (
    <details
      open={['sensors', 'output'].some((part) => !['', 'V', 'one-sensor'].includes(values[`${axle}_${part}`] ?? ''))}
    >
      <summary className="flex min-h-11 items-center font-semibold text-accent underline underline-offset-3">
        Not one sensor in V
      </summary>
      <div className="grid gap-4 pt-2">
        <Choice
          name={prefix + name('sensors')}
          legend="Sensors"
          options={GROUP_PARTS.sensors}
          columns="short"
          defaultValue={values[name('sensors')]}
        />
        <Choice
          name={prefix + name('output')}
          legend="Output"
          options={GROUP_PARTS.output}
          columns="short"
          defaultValue={values[name('output')]}
        />
      </div>
    </details>
  );
}

function Advice({ axle, details }: { axle: Axle; details: GroupDetails }) {
  const reference = referenceOf(axle, details);
  if (reference === undefined)
    return details.axles === ''
      ? 'No advice on the load while they are not known.'
      : 'No advice on the load: the common table has no reference mass for this group.';
  return (
    <>
      <b>{loadAdvice(reference)}</b>
      {`: 80\u00a0% of ${formatValue(String(reference.kg))}\u00a0kg${reference.isTyped ? ', as typed' : ''}.`}
    </>
  );
}

/** Which of the usual trucks it is: a tap answers for every group. */
export function UsualTruckQuestion({
  chosen,
  onChoose,
}: {
  chosen: string | undefined;
  onChoose: (value: string) => void;
}) {
  return (
    <fieldset className="card grid min-w-0 gap-2 p-5 max-row:p-4">
      <legend className="sr-only">Which axle groups?</legend>
      <p className="font-bold">Which axle groups?</p>
      <p className="pb-1 text-sm text-ink-2">Asked once for this truck. It decides how much load is enough.</p>
      {USUAL_TRUCKS.map(({ value, label, details }) => (
        <label key={value} className="choice-tile">
          <input
            type="radio"
            name={USUAL_TRUCK}
            value={value}
            defaultChecked={chosen === value}
            className="size-5 shrink-0 accent-accent"
            onChange={() => onChoose(value)}
          />
          <span className="grow">{label}</span>
          <AxlePicture groupDetails={details} />
        </label>
      ))}
      <label className="choice-tile">
        <input
          type="radio"
          name={USUAL_TRUCK}
          value=""
          defaultChecked={(chosen ?? '') === ''}
          className="size-5 shrink-0 accent-accent"
        />
        Group by group, or not known
      </label>
    </fieldset>
  );
}
