// Whether a page still is the document that the server sent, and not one that scripts went on to. Only then does a
// message stand in the page; later ones are toasts.
import { createContext, use, useState, type ReactNode } from 'react';
import { useLocation } from 'react-router';

const Arrival = createContext(true);

export function ArrivalProvider({ children }: { children: ReactNode }) {
  const { key } = useLocation();
  // On the server every key is 'default' and in the browser it is not: only whether it changed is compared.
  const [first] = useState(key);
  return <Arrival value={key === first}>{children}</Arrival>;
}

export const useIsArrival = (): boolean => use(Arrival);
