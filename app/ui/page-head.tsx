import type { ReactNode } from 'react';
import { GoBack } from './go-back.tsx';

/** The title of a record's page, the link `back`, and the actions on the record as `children`. */
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
