// Trailers with a unit of their own, weighed together with the truck: one press records a visit for each.
import { TextField } from '#app/ui/field.tsx';
import { prefixOf, UNITS_MAX } from '#app/readings/set-grid.ts';
import { axlesOfKind } from '#app/vehicles/axle.ts';
import { detailsIn } from '#app/vehicles/group-details.ts';
import { AxleFields } from './axle-fields.tsx';
import type { OpenedUnit } from './opened-unit.ts';
import { TruckConfirmation } from './truck-confirmation.tsx';

type Words = Readonly<Record<string, string | undefined>>;
type Said = { values: Words; errors: Words; warnings: Words };

export function WeighedWith({ units, ...said }: { units: readonly OpenedUnit[] } & Said) {
  const { values, errors } = said;
  return (
    <section className="grid gap-3" aria-labelledby="weighed-with">
      <h2 id="weighed-with" className="text-lg font-bold">
        Trailers with a unit of their own
      </h2>
      {units.map((unit, place) => (
        <Trailer key={unit.rego} unit={unit} prefix={prefixOf(place)} {...said} />
      ))}
      {units.length >= UNITS_MAX ? null : (
        <div className="card flex flex-wrap items-end gap-3 p-5 max-row:p-4">
          <div className="grow">
            <TextField
              name="add_unit"
              label="Trailer weighed together with it (optional)"
              hint="Its rego. Its groups then stand here, and one press records both."
              maxLength={40}
              autoCapitalize="characters"
              autoComplete="off"
              defaultValue={errors['add_unit'] === undefined ? '' : values['add_unit']}
              error={errors['add_unit']}
            />
          </div>
          <button type="submit" name="intent" value="add-unit" className="button-look button-secondary">
            Add this trailer
          </button>
        </div>
      )}
    </section>
  );
}

function Trailer({ unit, prefix, values, errors, warnings }: { unit: OpenedUnit; prefix: string } & Said) {
  const own = (words: Words): Words =>
    Object.fromEntries(
      Object.entries(words).flatMap(([name, text]) =>
        name.startsWith(prefix) ? [[name.slice(prefix.length), text]] : [],
      ),
    );
  const given = own(values);
  const details = detailsIn(unit.groupDetails);
  return (
    <div className="grid gap-3 border-l-4 border-line pl-3">
      <input type="hidden" name="unit" value={unit.rego} />
      <input type="hidden" name={`${prefix}vin`} value={unit.vin} />
      <TruckConfirmation
        opened={unit}
        name={`${prefix}confirmed`}
        what="trailer"
        isGiven={given['confirmed'] === 'yes'}
        error={errors[`${prefix}confirmed`]}
      />
      <label className="choice-tile">
        <input
          type="checkbox"
          name={`${prefix}left_out`}
          value="yes"
          defaultChecked={given['left_out'] === 'yes'}
          className="size-5 shrink-0 accent-accent"
        />
        {`${unit.rego} is not behind the truck: leave it out`}
      </label>
      {axlesOfKind(unit.kind).map((axle) => (
        <AxleFields
          key={axle}
          prefix={prefix}
          axle={axle}
          isChosen={unit.axles.includes(axle)}
          known={details[axle]}
          values={given}
          errors={own(errors)}
          warnings={own(warnings)}
        />
      ))}
    </div>
  );
}
