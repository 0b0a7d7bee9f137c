import type { ReactNode } from 'react';
import { GoBack } from './go-back.tsx';

/** The title of a record's page, with the way `back` and, as `children`, what can be done with it. */
export function PageHead({ title, back, children }: { title: string; back: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 pb-5">
      <h1 className="min-w-0 text-xl wrap-anywhere">{title}</h1>
      <div className="flex flex-wrap gap-3">
        <GoBack fallback={back} />
        {children}
      </div>
    </div>
  );
}
