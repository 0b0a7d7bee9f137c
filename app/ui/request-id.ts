// The id of a request in the server's log. Only error pages show it: other pages are cached, and one response is sent
// to many people.
import { createContext, useContext, useState } from 'react';

/** Provided by the server while it renders. */
export const RequestId = createContext('');

/** The DOM id of the element that shows it. */
export const REQUEST_ID = 'request-id';

/** The id of the request that rendered this page; '' when an error occurred later, in the browser. */
export function useRequestId(): string {
  const given = useContext(RequestId);
  const [id] = useState(() =>
    typeof document === 'undefined' ? given : (document.querySelector(`#${REQUEST_ID}`)?.textContent ?? ''),
  );
  return id;
}
