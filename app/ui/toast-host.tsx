// Toasts, top right. The component library comes only with the first one, so a public page never loads it.
import { lazy, Suspense, useEffect, useState } from 'react';
import type { Notice } from './notices.ts';

const Toaster = lazy(() => import('./toaster.tsx'));

const waiting: Notice[] = [];
let wake: () => void = () => {};

/** Shows a toast for five seconds; longer while it is pointed at or focused. Browser only. */
export function showToast(notice: Notice): void {
  waiting.push(notice);
  wake();
}

/** Where toasts appear: once, in the document. */
export function ToastHost() {
  const [arrived, setArrived] = useState(0);
  useEffect(() => {
    wake = () => setArrived((count) => count + 1);
    if (waiting.length > 0) wake();
    return () => {
      wake = () => {};
    };
  }, []);
  if (arrived === 0) return null;
  return (
    <Suspense fallback={null}>
      <Toaster arrived={arrived} take={() => waiting.splice(0)} />
    </Suspense>
  );
}
