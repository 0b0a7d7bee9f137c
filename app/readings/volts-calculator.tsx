import { Form } from 'react-router';
import { SignKey } from '#app/ui/sign-key.tsx';
import type { Calculated } from './present-lines.ts';

export type CalculatorProps = { page: string; axles: readonly Calculated[]; total: string | null; what: string };

/** Converts outputs to kilograms by the newest lines. It is a plain GET form, so the URL has what was typed. */
export function VoltsCalculator({ page, axles, total, what }: CalculatorProps) {
  return (
    <Form
      method="get"
      action={`${page}#calculator`}
      preventScrollReset
      className="no-print rounded-b-lg border-t border-line bg-sunken p-5"
      id="calculator"
      aria-labelledby="calculator-title"
    >
      <h3 id="calculator-title" className="font-bold">
        {`${what} to kilograms`}
      </h3>
      <p className="pt-0.5 text-sm text-ink-2">What the scale shows at a given output.</p>
      <div className="grid grid-cols-2 items-start gap-4 pt-3 sm:grid-cols-4">
        {axles.map(({ axle, label, volts, answer, remark }) => (
          <div key={axle} className="grid content-start gap-1">
            <label htmlFor={`volts-${axle}`} className="text-sm font-semibold">
              {label}
            </label>
            <div className="relative">
              <input
                id={`volts-${axle}`}
                name={axle.toLowerCase()}
                defaultValue={volts}
                inputMode="decimal"
                autoComplete="off"
                maxLength={32}
                className="field-box"
                aria-describedby={answer === '' ? undefined : `kilograms-${axle}`}
              />
              <SignKey />
            </div>
            {answer === '' ? null : (
              <p id={`kilograms-${axle}`} className="font-bold wrap-anywhere">
                {answer}
                {remark === '' ? null : <span className="block text-sm font-normal text-ink-2">{remark}</span>}
              </p>
            )}
          </div>
        ))}
      </div>
      <div className="flex flex-wrap items-center gap-4 pt-4">
        <button type="submit" className="button-look button-secondary">
          Show kilograms
        </button>
        {total === null ? null : (
          <p>
            All axles: <strong>{total}</strong>
          </p>
        )}
      </div>
    </Form>
  );
}
