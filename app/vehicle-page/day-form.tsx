/** Asks what the registry said of a truck on a day: by an address, so that it needs no scripts. */
export const DayForm = ({ rego, label, day }: { rego: string; label: string; day?: string }) => (
  <form action={`/vehicles/view/${rego}`} className="no-print flex flex-wrap items-center gap-2">
    <label>
      {`${label} `}
      <input name="on" type="date" required defaultValue={day} className="field-box w-auto" />
    </label>
    <button type="submit" className="button-look button-secondary">
      Show
    </button>
  </form>
);
