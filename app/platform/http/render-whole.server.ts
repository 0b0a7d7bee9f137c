// Renders a page completely before any of it is sent.
import { Writable } from 'node:stream';
import type { ReactNode } from 'react';
import { renderToPipeableStream } from 'react-dom/server';

/**
 * The HTML of `element` when all of it is ready. `failed`: a part threw, and the page shows its error boundary. Rejects
 * when the page as a whole cannot be rendered. Uses Node's streams: web streams add a tenth to a page's time.
 */
export function renderWhole(
  element: ReactNode,
  signal: AbortSignal,
  onError: (error: unknown) => void,
): Promise<{ page: Buffer<ArrayBuffer>; failed: boolean }> {
  return new Promise((resolve, reject) => {
    let failed = false;
    const whole = new Whole((page) => {
      signal.removeEventListener('abort', leave);
      resolve({ page, failed });
    });
    const { pipe, abort } = renderToPipeableStream(element, {
      // Keeps large parts in place. By default React puts them at the end, where a script must move them.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onAllReady: () => void pipe(whole),
      onShellError(error) {
        signal.removeEventListener('abort', leave);
        reject(error);
      },
      onError(error) {
        failed = true;
        // An abort by the client is not an error of the page.
        if (!signal.aborted) onError(error);
      },
    });
    // The client has gone. The listener is removed at the end: a signal with a listener is never garbage-collected, nor
    // is anything that the listener refers to.
    const leave = () => abort(signal.reason);
    signal.addEventListener('abort', leave, { once: true });
  });
}

// Takes what React writes as it comes. Through Writable's own queue each of the thirty parts of a page waits for a
// tick.
class Whole extends Writable {
  readonly #parts: Uint8Array[] = [];
  readonly #ended: (page: Buffer<ArrayBuffer>) => void;

  constructor(ended: (page: Buffer<ArrayBuffer>) => void) {
    super();
    this.#ended = ended;
  }

  override write(part: string | Uint8Array): true {
    this.#parts.push(typeof part === 'string' ? Buffer.from(part) : part);
    return true;
  }

  override end(): this {
    this.#ended(Buffer.concat(this.#parts));
    return this;
  }
}
