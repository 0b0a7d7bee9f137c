import { data, isRouteErrorResponse } from 'react-router';

/** Why there is no page of a person: thrown by loaders as the data of a 404 or 410. `on`: the day of removal. */
export type MissingPerson = {
  kind: 'missing-person';
  noun: 'admin' | 'technician' | 'application';
  email: string;
  on: string | null;
};

/** For a loader to throw: there is none with this address, or (`on`) there was until that day. */
export const missingPerson = (noun: MissingPerson['noun'], email: string, on: string | null = null) =>
  data(
    { kind: 'missing-person', noun, email, on } satisfies MissingPerson,
    on === null ? { status: 404, statusText: 'Not Found' } : { status: 410, statusText: 'Gone' },
  );

/** What a loader threw, if it was that. */
export function readMissingPerson(error: unknown): MissingPerson | undefined {
  const thrown: unknown = isRouteErrorResponse(error) ? error.data : undefined;
  return isMissingPerson(thrown) ? thrown : undefined;
}

function isMissingPerson(thrown: unknown): thrown is MissingPerson {
  return typeof thrown === 'object' && thrown !== null && 'kind' in thrown && thrown.kind === 'missing-person';
}
