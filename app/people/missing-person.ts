import { data } from 'react-router';

/** The data of a 404 or 410 on a page about one person. `on`: the day of removal; null when the person is unknown. */
export type MissingPerson = {
  kind: 'missing-person';
  noun: 'admin' | 'technician' | 'application';
  email: string;
  on: string | null;
};

/** For a loader to throw: 404 when nobody has this address, 410 with `on` when they were removed on that day. */
export const missingPerson = (noun: MissingPerson['noun'], email: string, on: string | null = null) =>
  data(
    { kind: 'missing-person', noun, email, on } satisfies MissingPerson,
    on === null ? { status: 404, statusText: 'Not Found' } : { status: 410, statusText: 'Gone' },
  );

/** Whether the data of a route's error is a missing person. */
export function isMissingPerson(thrown: unknown): thrown is MissingPerson {
  return typeof thrown === 'object' && thrown !== null && 'kind' in thrown && thrown.kind === 'missing-person';
}
