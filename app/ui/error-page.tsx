import { RowIcon } from './row-icon.tsx';
import type { ReactNode } from 'react';
import { ButtonLink } from './button-link.tsx';
import { REQUEST_ID, useRequestId } from './request-id.ts';

/** The page 'Unexpected Application Error!': the status in words, what to do next, and in development the stack. */
export function ErrorPage({
  status,
  sentence,
  stack,
}: {
  status: string;
  sentence: string;
  stack: string | undefined;
}) {
  return (
    <main id="main" className="page pt-8">
      <RowIcon name="triangle-exclamation-point" className="row-icon size-11" />
      <h1 className="pt-3 text-2xl">Unexpected Application Error!</h1>
      <p className="pt-3 text-lg font-bold text-ink-2">{status}</p>
      <p className="pt-3">{sentence}</p>
      {stack === undefined ? null : <pre className="card mt-4 overflow-x-auto p-4 font-mono text-sm">{stack}</pre>}
      <WaysOn />
    </main>
  );
}

/** Shown when the role of the signed-in person may not open the page. This is not an error. */
export function NotForYouPage({ heading, sentence }: { heading: string; sentence: string }) {
  return (
    <main id="main" className="page pt-8">
      <h1 className="text-2xl">{heading}</h1>
      <p className="pt-3">{sentence}</p>
      <WaysOn>
        <ButtonLink to="/dashboard">Dashboard</ButtonLink>
      </WaysOn>
    </main>
  );
}

function WaysOn({ children }: { children?: ReactNode }) {
  const id = useRequestId();
  return (
    <>
      <p className="flex flex-wrap gap-3 pt-4">
        <ButtonLink to="/search" look="primary">
          <RowIcon name="search" className="row-icon size-5" />
          Search by rego
        </ButtonLink>
        {children}
      </p>
      {id === '' ? null : (
        <p className="pt-4 text-sm text-ink-3">
          Request <span id={REQUEST_ID}>{id}</span>
        </p>
      )}
    </>
  );
}
