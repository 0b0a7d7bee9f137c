import { data } from 'react-router';

/** The catch-all: no page has this address. */
export function loader(): never {
  throw data(null, { status: 404, statusText: 'Not Found' });
}

export default function NoPage() {
  return null;
}
