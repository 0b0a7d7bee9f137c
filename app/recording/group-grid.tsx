// The axle groups of the vehicle that a visit's form is of: those that it has or may have, the others a tap away.
import type { RefObject } from 'react';
import { axlesOfKind, isAxle, USUAL_AXLES, type Axle } from '#app/vehicles/axle.ts';
import { detailsIn, USUAL_TRUCK, usualGroups } from '#app/vehicles/group-details.ts';
import { AxleFields } from './axle-fields.tsx';
import { UsualTruckQuestion } from './group-question.tsx';
import type { OpenedUnit } from './opened-unit.ts';

type Words = Readonly<Record<string, string | undefined>>;

/** `axles`: those that are ticked. */
export function GroupGrid({
  opened,
  axles,
  form,
  values,
  errors,
  warnings,
}: {
  opened: OpenedUnit;
  axles: readonly Axle[];
  form: RefObject<HTMLFormElement | null>;
  values: Words;
  errors: Words;
  warnings: Words;
}) {
  const details = detailsIn(opened.groupDetails);
  const possible = axlesOfKind(opened.kind);
  const isOffered = (axle: Axle) =>
    opened.kind !== '' || USUAL_AXLES.includes(axle) || opened.axles.includes(axle) || details[axle] !== undefined;
  const others = possible.filter((axle) => !isOffered(axle));
  const groupsOf = (wanted: readonly Axle[]) =>
    wanted.map((axle) => (
      <AxleFields
        key={axle}
        axle={axle}
        isChosen={axles.includes(axle)}
        known={details[axle]}
        values={values}
        errors={errors}
        warnings={warnings}
      />
    ));
  return (
    <fieldset className="grid min-w-0 gap-3" aria-describedby={errors['axle'] === undefined ? undefined : 'axle-error'}>
      <legend className="pb-3 text-lg font-bold">{opened.kind === '' ? 'Axles on this truck' : 'Axle groups'}</legend>
      {errors['axle'] === undefined ? null : (
        <p id="axle-error" role="alert" className="font-semibold text-overdue-text">
          {errors['axle']}
        </p>
      )}
      {opened.kind === '' && opened.groupDetails === '' ? (
        <UsualTruckQuestion chosen={values[USUAL_TRUCK]} onChoose={(value) => tickGroups(form.current, value)} />
      ) : null}
      {groupsOf(possible.filter(isOffered))}
      <details hidden={others.length === 0} open={others.some((axle) => axles.includes(axle))}>
        <summary className="flex min-h-11 items-center font-semibold text-accent underline underline-offset-3">
          Add a group
        </summary>
        <div className="grid gap-3">{groupsOf(others)}</div>
      </details>
    </fieldset>
  );
}

// The groups of a usual truck are those that it has.
function tickGroups(form: HTMLFormElement | null, value: string): void {
  const groups = usualGroups(value);
  for (const box of form?.querySelectorAll<HTMLInputElement>('input[name="axle"]') ?? [])
    if (isAxle(box.value)) {
      box.checked = groups[box.value] !== undefined;
      if (box.checked) box.closest('details')?.setAttribute('open', '');
    }
}
