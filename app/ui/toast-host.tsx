// Toasts, top right. The component library comes only with the first one, so a public page never loads it.
import { lazy, Suspense, useEffect, useState } from 'react';
import { loadPart } from '#app/platform/http/page-data.ts';
import { onFirstToast } from './toasts.ts';

const Toaster = lazy(() => loadPart(() => import('./toaster.tsx')));

/** Where toasts appear: once, in the document. */
export function ToastHost() {
  const [needed, setNeeded] = useState(false);
  useEffect(() => onFirstToast(() => setNeeded(true)), []);
  if (!needed) return null;
  return (
    <Suspense fallback={null}>
      <Toaster />
    </Suspense>
  );
}
