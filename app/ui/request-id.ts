// The id under which the server's log tells of a request: on the page of an error, and on no other, as pages are kept and
// given to others.
import { createContext, useContext, useState } from 'react';

/** Given by the server while it renders. */
export const RequestId = createContext('');

/** Of the element that shows it. */
export const REQUEST_ID = 'request-id';

/** The request that made this page; '' when an error came later, in the browser. */
export function useRequestId(): string {
  const given = useContext(RequestId);
  const [id] = useState(() =>
    typeof document === 'undefined' ? given : (document.querySelector(`#${REQUEST_ID}`)?.textContent ?? ''),
  );
  return id;
}
