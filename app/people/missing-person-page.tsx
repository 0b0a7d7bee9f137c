import SearchX from 'lucide-react/icons/search-x';
import { isRouteErrorResponse, Link, useRouteError } from 'react-router';
import { IfMay } from '#app/access/use-may.tsx';
import { ButtonLink } from '#app/ui/button-link.tsx';
import { emailSegment } from './email-key.ts';
import { isMissingPerson, type MissingPerson } from './missing-person.ts';

const LISTS = { admin: '/admins', technician: '/technicians', application: '/applications' } as const;

/** The error boundary of pages about one person: explains 404 and 410 and links to the list. */
export function MissingPersonPage() {
  const error = useRouteError();
  if (!isRouteErrorResponse(error) || !isMissingPerson(error.data)) throw error;
  const { noun, email, on } = error.data;
  return (
    <main id="main">
      <SearchX size={44} aria-hidden="true" />
      <h1 className="pt-3 text-2xl wrap-anywhere">{titleOf(error.data)}</h1>
      <p className="max-w-160 pt-3">
        {on === null
          ? 'Check the address, or look in the list.'
          : 'They can no longer sign in. What they recorded stays, under their name. The address can be added again.'}
      </p>
      <p className="pt-4">
        <ButtonLink to={LISTS[noun]} look="primary">
          {`All ${noun}s`}
        </ButtonLink>
      </p>
      {on === null ? null : (
        <IfMay to="change people">
          <p className="pt-4">
            <Link to={`${LISTS[noun]}/erase/${emailSegment(email)}`}>Erase their personal data</Link>
          </p>
        </IfMay>
      )}
    </main>
  );
}

function titleOf({ noun, email, on }: MissingPerson): string {
  if (on !== null) return `The ${noun} ${email} was removed on ${on}`;
  return noun === 'application' ? `There is no application from ${email}` : `No ${noun} has the address ${email}`;
}
