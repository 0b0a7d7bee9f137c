// Threat: a calibration of a truck that was never there. The technician confirms having read plate and VIN on the
// truck.
import { Plate } from '#app/vehicles/plate.tsx';

export function TruckConfirmation({
  opened: { rego, vin },
  isGiven,
  error,
}: {
  opened: { rego: string; vin: string };
  isGiven: boolean;
  error: string | undefined;
}) {
  return (
    <section className="card grid grid-cols-1 gap-4 p-5 max-row:p-4" aria-label="Truck">
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
          name="confirmed"
          value="yes"
          defaultChecked={isGiven}
          required
          aria-invalid={error === undefined ? undefined : true}
          aria-describedby={error === undefined ? undefined : 'confirmed-error'}
          className="size-5 shrink-0 accent-accent"
        />
        {vin === ''
          ? `I have read rego ${rego} on the truck in front of me. No VIN is recorded for it.`
          : `I have read rego ${rego} and this VIN on the truck in front of me.`}
      </label>
      {error === undefined ? null : (
        <p id="confirmed-error" className="text-sm font-semibold text-overdue-text">
          {error}
        </p>
      )}
    </section>
  );
}
