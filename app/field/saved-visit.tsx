// Says that a visit is kept, and what comes next.
import Smartphone from 'lucide-react/icons/smartphone';
import { useEffect, useRef, type ReactNode } from 'react';

/** `children`: the links to what comes next. */
export function SavedVisit({ words, isSent, children }: { words?: string; isSent?: boolean; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  // It stands where the form was.
  useEffect(() => heading.current?.focus(), []);
  return (
    <section className="card grid grid-cols-[minmax(0,1fr)] content-start gap-4 p-5">
      <h1 ref={heading} tabIndex={-1} className="flex items-center gap-3 text-lg">
        <Smartphone size={24} aria-hidden="true" className="shrink-0" />
        {isSent === true ? 'Sent' : 'Saved on this phone, not sent yet'}
      </h1>
      <p>{words ?? 'It goes by itself when there is signal.'}</p>
      <div className="grid gap-3 sm:grid-cols-2">{children}</div>
    </section>
  );
}
