import type { ReactNode } from 'react';
import { PlainHeader } from './site-header.tsx';
import { ArrivalNote } from '#app/ui/note.tsx';
import { useSite } from '#app/ui/site.ts';

/** The narrow page of the sign-in forms: a heading, an optional message, and a card. */
export function AccountPage({ title, note, children }: { title: string; note?: ReactNode; children: ReactNode }) {
  const { registryName } = useSite();
  return (
    <>
      <PlainHeader name={registryName} line />
      <main id="main" className="page pt-8">
        <div className="mx-auto max-w-110">
          <ArrivalNote />
          <h1 className="pb-5 text-2xl wrap-anywhere">{title}</h1>
          {note}
          <div className="card p-6 wrap-anywhere max-row:p-4">{children}</div>
        </div>
      </main>
    </>
  );
}
