// The document around every page, and the error page.
import { useEffect, useState, type ReactNode } from 'react';
import {
  data,
  isRouteErrorResponse,
  Links,
  Meta,
  Outlet,
  ScrollRestoration,
  type ShouldRevalidateFunctionArgs,
} from 'react-router';
import type { Route } from './+types/root';
import './app.css';
import { guard } from '#app/access/guard.server.ts';
import { isForbidden } from '#app/access/forbidden.ts';
import { permissionsOf } from '#app/access/permissions.ts';
import { draftOwner, signedInContext } from '#app/access/session.server.ts';
import { dropFlash, readFlash } from '#app/platform/http/flash-cookie.server.ts';
import { dropFlashLine } from '#app/platform/http/flash-cookie.ts';
import { listWay } from '#app/find/list-way.server.ts';
import { loadPart } from '#app/platform/http/page-data.ts';
import { preloadProgram } from '#app/platform/http/preload-program.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { zoneCity } from '#app/platform/time/calendar.ts';
import { SearchHeader } from '#app/shell/site-header.tsx';
import { SiteFooter } from '#app/shell/site-footer.tsx';
import { ConnectionBar } from './ui/no-connection.tsx';
import { ErrorPage, NotForYouPage } from './ui/error-page.tsx';
import { ArrivalProvider, useIsArrival } from './ui/arrival.tsx';
import { dropDrafts, keepOnlyDraftsOf } from './ui/drafts.ts';
import { flashMessage, isFlashName } from '#app/forms/flash-messages.ts';
import type { Message } from './ui/message.ts';
import { scrollKeyOf } from './ui/list-left.ts';
import { ToastHost } from './ui/toast-host.tsx';
import { showToast } from './ui/toasts.ts';
import { LateScripts } from './ui/late-scripts.tsx';
import { useSite, type Site } from './ui/site.ts';
import { usePageFocus } from './ui/use-page-focus.ts';

export const middleware: Route.MiddlewareFunction[] = [guard];

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const services = context.get(servicesContext);
  const { config } = services;
  const who = context.get(signedInContext);
  const carried = readFlash(request.headers, config);
  const flash = carried !== undefined && isFlashName(carried.name) ? flashMessage(carried.name, carried.about) : null;
  const site: Site = {
    registryName: config.registryName,
    city: zoneCity(config.timeZone),
    signedIn: who === null ? null : { name: who.name, may: permissionsOf(who.role), personId: who.personId },
    way: who === null ? null : await listWay(services, who, url),
  };
  return data(
    {
      ...site,
      draftOwner: who === null ? null : draftOwner(who),
      hasSignedOut: who === null && carried?.name === 'signed-out',
      flash,
      flashKey: carried?.key ?? '',
    },
    carried === undefined ? {} : { headers: dropFlash(request.headers) },
  );
}

/** Reloads after a successful form, when a page reloads itself, and when a record is opened from a list. */
export function shouldRevalidate({ formMethod, actionStatus, currentUrl, nextUrl }: ShouldRevalidateFunctionArgs) {
  if (formMethod !== undefined && formMethod !== 'GET') return actionStatus === undefined || actionStatus < 400;
  const isOfList = nextUrl.searchParams.has('from') || nextUrl.pathname.startsWith('/visits/');
  return currentUrl.href === nextUrl.href || (isOfList && currentUrl.pathname !== nextUrl.pathname);
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
        <ConnectionBar />
        <ToastHost />
        <ScrollRestoration getKey={scrollKeyOf} />
        <LateScripts />
      </body>
    </html>
  );
}

export default function Root({ loaderData }: Route.ComponentProps) {
  const { draftOwner: owner, hasSignedOut, flash, flashKey, signedIn } = loaderData;
  const reader = signedIn === null ? 'public' : 'office';
  useEffect(() => preloadProgram(reader), [reader]);
  // Drafts belong to a person, and outlive a session that ends by itself: the sign-in of another person deletes them. A
  // sign-out leaves nothing here but visits that are not sent yet.
  useEffect(() => keepOnlyDraftsOf(owner), [owner]);
  useEffect(() => {
    if (!hasSignedOut) return;
    dropDrafts();
    void loadPart(() => import('#app/field/leave-phone.ts')).then(({ leavePhone }) => leavePhone());
  }, [hasSignedOut]);
  usePageFocus();
  return (
    <ArrivalProvider>
      <FlashToast key={flashKey} flash={flash} />
      <Outlet />
    </ArrivalProvider>
  );
}

// A flash message that arrives with the document is shown in the page instead (ArrivalNote).
function FlashToast({ flash }: { flash: Message | null }) {
  const isArrival = useIsArrival();
  const [isLater] = useState(!isArrival);
  useEffect(() => {
    if (flash === null) return;
    if (isLater) showToast(flash);
    for (const protocol of ['http:', 'https:']) document.cookie = dropFlashLine(protocol);
  }, [flash, isLater]);
  return null;
}

const NOT_FOR_YOU = 'You cannot open this page';
const FAILED = 'Something failed on our side, and nothing was changed. Try again in a moment.';
const SENTENCES: Record<number, string> = {
  404: 'There is no page at this address. Check the address, or search for the rego.',
  503: 'The registry cannot reach its records just now, and nothing was changed. Try again in a moment.',
};

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const site = useSite();
  const answered = isRouteErrorResponse(error);
  const forbidden = answered && isForbidden(error.data) ? error.data : undefined;
  const registryName = forbidden?.registryName ?? site.registryName;
  const { status, statusText } = answered ? error : { status: 500, statusText: 'Internal Server Error' };
  if (forbidden !== undefined && status === 403)
    return (
      <>
        <title>{`${NOT_FOR_YOU} · ${registryName}`}</title>
        <SearchHeader name={registryName} />
        <NotForYouPage heading={NOT_FOR_YOU} sentence={forbidden.sentence} />
      </>
    );
  return (
    <>
      <title>{`Unexpected Application Error! · ${registryName}`}</title>
      <SearchHeader name={registryName} />
      <ErrorPage
        status={`${status} ${statusText || (status === 404 ? 'Not Found' : '')}`.trim()}
        sentence={forbidden?.sentence ?? SENTENCES[status] ?? FAILED}
        stack={import.meta.env.DEV && error instanceof Error ? (error.stack ?? error.message) : undefined}
      />
    </>
  );
}
