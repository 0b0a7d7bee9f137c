// Keeps the program of /field on the phone, and renews it when nothing is unsent: what was typed into a form is sent by
// the program of that form.
import { useEffect } from 'react';
import { sayNewVersion } from '#app/platform/http/new-version.ts';
import { UPDATE } from './worker-messages.ts';

const WORKER = '/field-worker.js';
const SCOPE = '/field';
const ASK_MS = 2000;

/** `idle`: nothing on this phone is unsent or half typed. */
export function useProgram(phone: 'idle' | 'busy'): void {
  useEffect(() => {
    // Without it the page still works while there is a network.
    const leaving = new AbortController();
    navigator.serviceWorker
      ?.register(WORKER, { scope: SCOPE })
      .then((registration) => watch(registration, leaving.signal))
      .catch(() => {});
    return () => leaving.abort();
  }, []);
  useEffect(() => {
    const workers = navigator.serviceWorker;
    if (workers === undefined || phone === 'busy') return undefined;
    const hadOne = workers.controller !== null;
    // The first worker of a page brings nothing new.
    const open = () => {
      if (hadOne) window.location.reload();
    };
    workers.addEventListener('controllerchange', open);
    const ask = () =>
      void workers.getRegistration(SCOPE).then((registration) => registration?.waiting?.postMessage(UPDATE));
    // Not at once: the page's own requests go through the worker that is to end. If it is started again while it ends,
    // Chromium keeps the next one waiting (90 s were seen). Asked again: the next one may not be installed yet.
    const timer = setInterval(ask, ASK_MS);
    return () => {
      clearInterval(timer);
      workers.removeEventListener('controllerchange', open);
    };
  }, [phone]);
}

// One that waits is the next version, which an open form says. The browser itself asks only when a page opens, and an
// installed page stays open for days.
function watch(registration: ServiceWorkerRegistration, signal: AbortSignal): void {
  const look = () => {
    if (registration.waiting !== null && navigator.serviceWorker.controller !== null) sayNewVersion();
  };
  look();
  const wait = () => registration.installing?.addEventListener('statechange', look, { signal });
  registration.addEventListener('updatefound', wait, { signal });
  const ask = () => {
    if (!document.hidden && navigator.onLine) registration.update().catch(() => {});
  };
  document.addEventListener('visibilitychange', ask, { signal });
}
