import { RowIcon } from '#app/ui/row-icon.tsx';
import { Link } from 'react-router';
import { DidYouMean } from './did-you-mean.tsx';
import { Plate } from './plate.tsx';

/** Why there is no vehicle page: thrown by loaders as the data of a 404 or 410. */
export type MissingVehicle =
  | { kind: 'unknown'; rego: string; near: string[]; ask: string }
  | { kind: 'removed'; rego: string; on: string }
  | { kind: 'no-rego'; sentence: string }
  /** Vehicles of several states have this text on their plates. `words`, `foot`: lines. */
  | { kind: 'several'; rego: string; title: string; sentence: string; vehicles: SameText[]; foot: string[] }
  | { kind: 'unknown-calibration'; rego: string };

export type SameText = { state: string; words: string[] };

const KINDS = [
  'unknown',
  'removed',
  'no-rego',
  'several',
  'unknown-calibration',
] as const satisfies MissingVehicle['kind'][];

/** Whether the data of a route's error is a missing vehicle. */
export const isMissingVehicle = (thrown: unknown): thrown is MissingVehicle =>
  typeof thrown === 'object' && thrown !== null && 'kind' in thrown && KINDS.some((kind) => kind === thrown.kind);

/** The heading for a missing vehicle, and the sentence below it. */
export function missingWords(missing: MissingVehicle): { title: string; sentence: string } {
  switch (missing.kind) {
    case 'unknown':
      return {
        title: `No vehicle with rego ${missing.rego} is in this registry`,
        sentence:
          'Check for O and 0, or I and 1. A truck that is not listed has no calibration in this registry; that does not show whether its scale is right or wrong.',
      };
    case 'removed':
      return {
        title: `The vehicle with rego ${missing.rego} was removed from this registry`,
        sentence: `It was removed on ${missing.on}. Its records are kept, but it is no longer listed and has no verdict.`,
      };
    case 'no-rego':
      return { title: 'This is not a rego', sentence: missing.sentence };
    case 'several':
      return missing;
    case 'unknown-calibration':
      return {
        title: `No such calibration is recorded for ${missing.rego}`,
        sentence: 'Check the address. Calibrations are never removed from the registry.',
      };
  }
}

/** The page of a 404 or 410: it says why there is no vehicle, and offers the search. */
export function MissingVehiclePage({ missing }: { missing: MissingVehicle }) {
  const { title, sentence } = missingWords(missing);
  return (
    <main id="main" className="page pt-8">
      <RowIcon name="search-x" className="row-icon size-11" />
      <h1 className="pt-3 text-2xl wrap-anywhere">{title}</h1>
      {missing.kind === 'unknown' ? <DidYouMean near={missing.near} ask={missing.ask} /> : null}
      <p className="max-w-160 pt-3">{sentence}</p>
      {missing.kind === 'several' && <WhichVehicle missing={missing} />}
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

// By their states, without a verdict: nobody must read the wrong one.
function WhichVehicle({ missing: { rego, vehicles, foot } }: { missing: MissingVehicle & { kind: 'several' } }) {
  return (
    <>
      {vehicles.map(({ state, words }) => (
        <Link key={state} to={`/vehicles/view/${rego}?state=${state}`} className="card mt-4 block max-w-80 p-5">
          <Plate rego={rego} state={state} />
          {words.map(line)}
        </Link>
      ))}
      {foot.map(line)}
    </>
  );
}

const line = (words: string) => (
  <p key={words} className="pt-3">
    {words}
  </p>
);
