// Sends malformed requests unchanged. `fetch` would correct or refuse them.
import { Agent, request } from 'node:http';

export type Sent = {
  method: string;
  path: string;
  headers?: Readonly<Record<string, string>>;
  body?: Buffer | string;
};
/** The status, or why none came. */
export type Outcome = number | string;

const ANSWERS_WITHIN_MS = 60_000;

export class Sender {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 8 });
  readonly #origin: URL;
  constructor(origin: string) {
    this.#origin = new URL(origin);
  }

  /** Sends it and reads the answer to its end; of an event stream only the head. */
  send({ method, path, headers = {}, body }: Sent): Promise<Outcome> {
    const { hostname, port, origin, host } = this.#origin;
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    return new Promise((resolve) => {
      const sending = request(
        {
          hostname,
          port,
          path,
          method,
          agent: this.#agent,
          timeout: ANSWERS_WITHIN_MS,
          headers: { host, origin, ...length, ...headers },
        },
        (answer) => {
          const status = answer.statusCode ?? 0;
          if (answer.headers['content-type'] === 'text/event-stream') answer.destroy();
          if (answer.headers['content-type'] === 'text/event-stream') return resolve(status);
          answer.on('end', () => resolve(status));
          answer.on('error', (error) => resolve(`${status}, then ${error.message}`));
          answer.resume();
        },
      );
      // The server may refuse a body and close before all of it arrived. Then the answer counts, if there is one.
      sending.on('error', (error) => resolve(`cut: ${error.message}`));
      sending.on('timeout', () => sending.destroy(new Error('no answer in time')));
      sending.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
