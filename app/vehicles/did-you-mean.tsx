import { Fragment } from 'react';
import { href, Link } from 'react-router';

/**
 * Links to the vehicles whose regos look like what was asked for, or are it without its state. Shows nothing if there
 * are none. `ask`: what stands behind them.
 */
export function DidYouMean({ near, ask }: { near: readonly string[]; ask: string }) {
  if (near.length === 0) return null;
  return (
    <p className="pt-2 text-lg text-ink">
      Did you mean{' '}
      {near.map((rego, index) => (
        <Fragment key={rego}>
          {index > 0 && (index === near.length - 1 ? ' or ' : ', ')}
          <Link
            to={href('/vehicles/view/:rego', { rego })}
            className="inline-flex min-h-11 min-w-11 items-center font-bold"
          >
            {rego}
          </Link>
        </Fragment>
      ))}
      {ask}
    </p>
  );
}
