// The document around every page, and the screen for what went wrong.
import type { ReactNode } from 'react';
import { isRouteErrorResponse, Links, Meta, Outlet, ScrollRestoration } from 'react-router';
import type { Route } from './+types/root';
import './app.css';
import { requestId, services } from './platform/services.server.ts';
import { zoneCity } from './platform/calendar.ts';
import { SearchHeader } from './public-search/site-header.tsx';
import { SiteFooter } from './public-search/site-footer.tsx';
import { ErrorPage } from './ui/error-page.tsx';
import { LateScripts } from './ui/late-scripts.tsx';
import { useSite, type Site } from './ui/site.ts';

export function loader({ context }: Route.LoaderArgs): Site & { requestId: string } {
  const { config } = context.get(services);
  return { registryName: config.registryName, city: zoneCity(config.timeZone), requestId: context.get(requestId) };
}

/** What is the same for every page need not be asked for again. */
export function shouldRevalidate(): boolean {
  return false;
}

export function Layout({ children }: { children: ReactNode }) {
  const { city } = useSite();
  return (
    <html lang="en-AU">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="theme-color" media="(prefers-color-scheme: light)" content="#ffffff" />
        <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#151a1f" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <Meta />
        <Links />
      </head>
      <body>
        <a href="#main" className="sr-only focus:not-sr-only focus:absolute focus:z-10 focus:bg-surface focus:p-3">
          Skip to the content
        </a>
        {children}
        <SiteFooter city={city} />
        <ScrollRestoration />
        <LateScripts />
      </body>
    </html>
  );
}

export default function Root() {
  return <Outlet />;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const { registryName } = useSite();
  const answered = isRouteErrorResponse(error);
  const missing = answered && error.status === 404;
  return (
    <>
      <title>{`Unexpected Application Error! · ${registryName}`}</title>
      <SearchHeader name={registryName} />
      <ErrorPage
        status={
          answered
            ? `${error.status} ${error.statusText || (missing ? 'Not Found' : '')}`.trim()
            : '500 Internal Server Error'
        }
        sentence={
          missing
            ? 'There is no page at this address. Check the address, or search for the rego.'
            : 'Something failed on our side, and nothing was changed. Try again in a moment.'
        }
        stack={import.meta.env.DEV && error instanceof Error ? (error.stack ?? error.message) : undefined}
      />
    </>
  );
}
