import { SearchX } from 'lucide-react';
import { isRouteErrorResponse, Link } from 'react-router';
import { emailSegment } from '#app/account/email-key.ts';

/** Why there is no admin's page: thrown by loaders as the data of a 404 or 410. `on`: the day of removal. */
export type MissingAdmin = { kind: 'missing-admin'; email: string; on: string | null };

/** What a loader threw, if it was one of these. */
export function readMissingAdmin(error: unknown): MissingAdmin | undefined {
  const thrown: unknown = isRouteErrorResponse(error) ? error.data : undefined;
  if (typeof thrown !== 'object' || thrown === null || !('kind' in thrown) || thrown.kind !== 'missing-admin')
    return undefined;
  const email: unknown = Reflect.get(thrown, 'email');
  const on: unknown = Reflect.get(thrown, 'on');
  return {
    kind: 'missing-admin',
    email: typeof email === 'string' ? email : '',
    on: typeof on === 'string' ? on : null,
  };
}

/** 404 and 410 in words, with the way back. */
export function MissingAdminPage({ missing: { email, on } }: { missing: MissingAdmin }) {
  return (
    <main id="main">
      <SearchX size={44} aria-hidden="true" />
      <h1 className="pt-3 text-2xl wrap-anywhere">
        {on === null ? `No admin has the address ${email}` : `The admin ${email} was removed on ${on}`}
      </h1>
      <p className="max-w-160 pt-3">
        {on === null
          ? 'Check the address.'
          : 'They can no longer sign in. What they did stays, under their name. The address may be added again.'}
      </p>
      <p className="pt-4">
        <Link to="/admins" className="button-look button-primary">
          All admins
        </Link>
      </p>
      {on === null ? null : (
        <p className="pt-4">
          <Link to={`/admins/erase/${emailSegment(email)}`}>Erase their personal data</Link>
        </p>
      )}
    </main>
  );
}
