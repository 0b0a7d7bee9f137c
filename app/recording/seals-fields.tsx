// What a visit says of the unit: its firmware, whether its settings are locked, and its seals.
import { Choice } from '#app/ui/choice.tsx';
import { TextField } from '#app/ui/field.tsx';
import { SEAL_REASONS } from '#app/readings/seals.ts';

type Words = Readonly<Record<string, string | undefined>>;

const HINT = 'Number and place, divided by a semicolon: 4471 unit; 4469 junction box';
const REASONS = Object.entries(SEAL_REASONS).map(([value, words]) => ({
  value,
  label: `${words.charAt(0).toUpperCase()}${words.slice(1)}`,
}));

export function SealsFields({ values, errors }: { values: Words; errors: Words }) {
  const names = ['firmware', 'settings_locked', 'seals_found', 'seals_left', 'seals_reason', 'seals_same'];
  const at = (name: string) => ({ name, defaultValue: values[name], error: errors[name] });
  return (
    <details className="card p-5 max-row:p-4" open={names.some((name) => (values[name] ?? '') !== '')}>
      <summary className="flex min-h-11 items-center gap-3 text-lg font-bold">
        Unit and seals <span className="text-sm font-normal text-ink-2">optional</span>
      </summary>
      <div className="grid items-start gap-5 pt-2 sm:grid-cols-2">
        <TextField {...at('firmware')} label="Firmware read" maxLength={60} autoComplete="off" />
        <Choice
          {...at('settings_locked')}
          legend="Settings locked"
          options={[
            { value: 'yes', label: 'Yes' },
            { value: 'no', label: 'No' },
          ]}
          columns="two"
        />
        <TextField {...at('seals_found')} label="Seals found" hint={HINT} maxLength={200} autoComplete="off" />
        <div className="grid gap-2">
          <TextField {...at('seals_left')} label="Seals left" hint={HINT} maxLength={200} autoComplete="off" />
          <label className="choice-tile">
            <input
              type="checkbox"
              name="seals_same"
              value="yes"
              defaultChecked={values['seals_same'] === 'yes'}
              className="size-5 shrink-0 accent-accent"
            />
            The same as found
          </label>
        </div>
        <div className="sm:col-span-2">
          <Choice {...at('seals_reason')} legend="A seal is not the one left: why" options={REASONS} columns="three" />
        </div>
      </div>
    </details>
  );
}
