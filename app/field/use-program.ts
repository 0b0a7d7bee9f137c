// Keeps the program of /field on the phone, and renews it when nothing is unsent: what was typed into a form is sent by the program
// of that form.
import { useEffect } from 'react';
import { UPDATE } from './worker-messages.ts';

const WORKER = '/field-worker.js';
const SCOPE = '/field';
const AGAIN_MS = 5000;

/** `isIdle`: nothing on this phone is unsent or half typed. */
export function useProgram(isIdle: boolean): void {
  useEffect(() => {
    // Without it the page still works while there is a network.
    navigator.serviceWorker?.register(WORKER, { scope: SCOPE }).catch(() => {});
  }, []);
  useEffect(() => {
    const workers = navigator.serviceWorker;
    if (workers === undefined || !isIdle) return undefined;
    const hadOne = workers.controller !== null;
    // The first worker of a page brings nothing new.
    const open = () => {
      if (hadOne) window.location.reload();
    };
    workers.addEventListener('controllerchange', open);
    const ask = () =>
      void workers.getRegistration(SCOPE).then((registration) => registration?.waiting?.postMessage(UPDATE));
    ask();
    // Asked again: a worker may not be installed yet, and a browser can hold it back while the one before it is busy.
    const timer = setInterval(ask, AGAIN_MS);
    return () => {
      clearInterval(timer);
      workers.removeEventListener('controllerchange', open);
    };
  }, [isIdle]);
}
