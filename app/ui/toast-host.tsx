import { lazy, Suspense } from 'react';
import { loadPart } from '#app/platform/http/page-data.ts';
import { useToasts } from './toasts.ts';

// With the first one: the public pages hardly ever show any.
const Toaster = lazy(() => loadPart(() => import('./toaster.tsx')));

/** Where toasts appear: once, in the document. */
export function ToastHost() {
  const toasts = useToasts();
  if (toasts.length === 0) return null;
  return (
    <Suspense fallback={null}>
      <Toaster toasts={toasts} />
    </Suspense>
  );
}
