import type { ReactNode } from 'react';

/** A titled panel; `aside` is shown to the right of the title. */
export function Card({
  title,
  aside,
  id,
  children,
}: {
  title: string;
  aside?: ReactNode;
  id?: string;
  children: ReactNode;
}) {
  return (
    <section className="card" aria-labelledby={id}>
      <header className="flex min-h-14 flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b border-line px-5 py-3">
        <h2 id={id} className="text-lg">
          {title}
        </h2>
        {aside}
      </header>
      {children}
    </section>
  );
}
