// Whether the page is still the document that the server sent, and not one that the router navigated to. Only then is a
// flash message shown in the page; later ones are toasts.
import { createContext, use, useState, type ReactNode } from 'react';
import { useLocation } from 'react-router';

const Arrival = createContext(true);

export function ArrivalProvider({ children }: { children: ReactNode }) {
  const { key } = useLocation();
  // The key is 'default' on the server and another in the browser, so it is only compared with the first one here.
  const [first] = useState(key);
  return <Arrival value={key === first}>{children}</Arrival>;
}

export const useIsArrival = (): boolean => use(Arrival);
