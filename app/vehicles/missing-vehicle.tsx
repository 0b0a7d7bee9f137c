import SearchX from 'lucide-react/icons/search-x';
import { isRouteErrorResponse, Link } from 'react-router';
import { DidYouMean } from './did-you-mean.tsx';

/** Why there is no vehicle page: thrown by loaders as the data of a 404 or 410. */
export type MissingVehicle =
  | { kind: 'unknown'; rego: string; near: string[] }
  | { kind: 'removed'; rego: string; on: string }
  | { kind: 'no-rego'; sentence: string }
  | { kind: 'unknown-calibration'; rego: string };

/**
 * The thrown error as a `MissingVehicle`, if it is one. Parsed by hand: a schema library would double the public
 * bundle.
 */
export function readMissingVehicle(error: unknown): MissingVehicle | undefined {
  const thrown: unknown = isRouteErrorResponse(error) ? error.data : undefined;
  if (typeof thrown !== 'object' || thrown === null || !('kind' in thrown)) return undefined;
  const text = (field: string) => {
    const value: unknown = Reflect.get(thrown, field);
    return typeof value === 'string' ? value : '';
  };
  switch (thrown.kind) {
    case 'unknown': {
      const near: unknown = Reflect.get(thrown, 'near');
      const isText = (value: unknown) => typeof value === 'string';
      return { kind: 'unknown', rego: text('rego'), near: Array.isArray(near) ? near.filter(isText) : [] };
    }
    case 'unknown-calibration':
      return { kind: 'unknown-calibration', rego: text('rego') };
    case 'removed':
      return { kind: 'removed', rego: text('rego'), on: text('on') };
    case 'no-rego':
      return { kind: 'no-rego', sentence: text('sentence') };
    default:
      return undefined;
  }
}

/** The heading for a missing vehicle. */
export function missingTitle(missing: MissingVehicle): string {
  switch (missing.kind) {
    case 'unknown':
      return `No vehicle with rego ${missing.rego} is in this registry`;
    case 'removed':
      return `The vehicle with rego ${missing.rego} was removed from this registry`;
    case 'no-rego':
      return 'This is not a rego';
    case 'unknown-calibration':
      return `No such calibration is recorded for ${missing.rego}`;
  }
}

/** The page of a 404 or 410: it says why there is no vehicle, and offers the search. */
export function MissingVehiclePage({ missing }: { missing: MissingVehicle }) {
  return (
    <main id="main" className="page pt-8">
      <SearchX size={44} aria-hidden="true" />
      <h1 className="pt-3 text-2xl wrap-anywhere">{missingTitle(missing)}</h1>
      {missing.kind === 'unknown' ? <DidYouMean near={missing.near} /> : null}
      <p className="max-w-160 pt-3">{explain(missing)}</p>
      <form
        action="/search"
        method="get"
        role="search"
        aria-label="Search again"
        className="flex max-w-160 gap-3 pt-6 max-row:flex-col"
      >
        <input
          name="q"
          type="search"
          maxLength={60}
          aria-label="Search by Rego..."
          placeholder="Search by Rego..."
          className="h-13 min-w-0 flex-1 rounded-md border border-line-strong bg-surface px-4 max-row:flex-none"
        />
        <button type="submit" className="button-look button-primary h-13">
          Search
        </button>
      </form>
      {missing.kind === 'unknown-calibration' ? (
        <p className="pt-4">
          <Link
            to={`/vehicles/view/${missing.rego}`}
            className="inline-flex min-h-11 items-center"
          >{`See the vehicle ${missing.rego}`}</Link>
        </p>
      ) : null}
    </main>
  );
}

function explain(missing: MissingVehicle): string {
  switch (missing.kind) {
    case 'unknown':
      return 'Check for O and 0, or I and 1. A truck that is not listed has no calibration in this registry; that does not show whether its scale is right or wrong.';
    case 'removed':
      return `It was removed on ${missing.on}. Its records are kept, but it is no longer listed and has no verdict.`;
    case 'no-rego':
      return missing.sentence;
    case 'unknown-calibration':
      return 'Check the address. Calibrations are never removed from the registry.';
  }
}
