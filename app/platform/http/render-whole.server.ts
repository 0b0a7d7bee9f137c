// React's rendering, to the last byte.
import { Writable } from 'node:stream';
import type { ReactNode } from 'react';
import { renderToPipeableStream } from 'react-dom/server';

/**
 * The HTML of `element` when all of it is ready. `failed`: a part threw, and stands as its error boundary shows it. Rejects
 * when the page as a whole cannot be rendered. By Node's own streams: those of the web cost a page a tenth of its time.
 */
export function renderWhole(
  element: ReactNode,
  signal: AbortSignal,
  onError: (error: unknown) => void,
): Promise<{ page: Buffer<ArrayBuffer>; failed: boolean }> {
  return new Promise((resolve, reject) => {
    let failed = false;
    const parts: Buffer[] = [];
    const whole = new Writable({
      write(part: Buffer, _encoding, done) {
        parts.push(part);
        done();
      },
      final(done) {
        signal.removeEventListener('abort', leave);
        resolve({ page: Buffer.concat(parts), failed });
        done();
      },
    });
    const { pipe, abort } = renderToPipeableStream(element, {
      // Large parts too stand where they belong, and not at the end for a script to move.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onAllReady: () => void pipe(whole),
      onShellError(error) {
        signal.removeEventListener('abort', leave);
        reject(error);
      },
      onError(error) {
        failed = true;
        // Cut off where they left, it is no error of the page.
        if (!signal.aborted) onError(error);
      },
    });
    // Nobody waits for it any more. Listened to, a request's signal is never collected, nor what its listener holds.
    const leave = () => abort(signal.reason);
    signal.addEventListener('abort', leave, { once: true });
  });
}
