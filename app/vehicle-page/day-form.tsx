import { useId } from 'react';

/** Asks what the registry said of a truck on a day: by an address, so that it needs no scripts. */
export function DayForm({ rego, label, day }: { rego: string; label: string; day?: string }) {
  const id = useId();
  return (
    <form action={`/vehicles/view/${rego}`} className="no-print flex flex-wrap items-center gap-2">
      <label htmlFor={id}>{label}</label>
      <input id={id} name="on" type="date" required defaultValue={day} className="field-box w-auto" />
      <button type="submit" className="button-look button-secondary">
        Show
      </button>
    </form>
  );
}
