// Threat: a calibration of a truck that was never there. The technician confirms having read plate and VIN on the
// truck.
import { Plate } from '#app/vehicles/plate.tsx';

export function TruckConfirmation({
  opened: { rego, vin },
  name = 'confirmed',
  what = 'truck',
  isGiven,
  error,
}: {
  opened: { rego: string; vin: string };
  /** Of the box. */
  name?: string;
  what?: 'truck' | 'trailer';
  isGiven: boolean;
  error: string | undefined;
}) {
  return (
    <section
      className="card grid grid-cols-1 gap-4 p-5 max-row:p-4"
      aria-label={what === 'truck' ? 'Truck' : `Trailer ${rego}`}
    >
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
        <div className="w-44">
          <Plate rego={rego} />
        </div>
        <p className="min-w-0">
          <span className="block text-sm text-ink-2">VIN</span>
          <span className="font-mono text-lg font-bold break-all">{vin === '' ? 'N/A' : vin}</span>
        </p>
      </div>
      <label className="choice-tile py-2">
        <input
          type="checkbox"
          name={name}
          value="yes"
          defaultChecked={isGiven}
          required={what === 'truck'}
          aria-invalid={error === undefined ? undefined : true}
          aria-describedby={error === undefined ? undefined : `${name}-error`}
          className="size-5 shrink-0 accent-accent"
        />
        {vin === ''
          ? `I have read rego ${rego} on the ${what} in front of me. No VIN is recorded for it.`
          : `I have read rego ${rego} and this VIN on the ${what} in front of me.`}
      </label>
      {error === undefined ? null : (
        <p id={`${name}-error`} className="text-sm font-semibold text-overdue-text">
          {error}
        </p>
      )}
    </section>
  );
}
