import type { ReactNode } from 'react';
import { RowIcon } from '#app/ui/row-icon.tsx';

/** The band over an answer about the past. It has no verdict's colour, so that no part of it passes for today's. */
export function PastBand({ words }: { words: string }) {
  return (
    <p className="past-band">
      <RowIcon name="history" className="row-icon size-6" />
      <strong>{`The past: ${words}`}</strong>
      <span className="ml-auto max-sm:hidden">Not today’s answer</span>
    </p>
  );
}

/** In place of an answer. */
export function NoAnswer({ words, title, children }: { words: string; title: string; children: ReactNode }) {
  return (
    <section className="card verdict-card">
      <PastBand words={words} />
      <div className="grid gap-3 p-5 max-row:p-4">
        <h1 className="text-2xl wrap-anywhere">{title}</h1>
        {children}
      </div>
    </section>
  );
}
