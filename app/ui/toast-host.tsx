import { lazy, Suspense } from 'react';
import { loadPart } from '#app/platform/http/page-data.ts';
import { useToasts } from './toasts.ts';

// Loaded with the first toast, because public pages hardly ever show one.
const Toaster = lazy(() => loadPart(() => import('./toaster.tsx')));

/** The place for toasts, once in the document. */
export function ToastHost() {
  const toasts = useToasts();
  if (toasts.length === 0) return null;
  return (
    <Suspense fallback={null}>
      <Toaster toasts={toasts} />
    </Suspense>
  );
}
