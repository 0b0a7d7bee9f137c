// The list that a record was opened from. The record's address says it (`?from=`), so that next, previous and back hold
// without scripts, after a reload and in a new tab.
import { Link, useLocation, type LinkProps } from 'react-router';
import { withList } from './list-address.ts';
import { useSite } from './site.ts';

/** For a list: makes the address of one of its records. */
export function useListLink(): (record: string) => string {
  const { pathname, search } = useLocation();
  const { signedIn } = useSite();
  return (record) => withList(record, signedIn === null ? null : pathname + search);
}

/** The link of a list to one of its records. */
export function ListLink({ to, ...link }: LinkProps & { to: string }) {
  return <Link to={useListLink()(to)} {...link} />;
}
