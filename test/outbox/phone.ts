// A phone with the product's own outbox, over an IndexedDB in memory, and a line to a running registry that fails on command.
import { request as httpRequest } from 'node:http';
import { buffer } from 'node:stream/consumers';
import 'fake-indexeddb/auto';
import { importVisit, visitFile } from '#app/field/visit-file.ts';
import { openPhoneStore, type Person, type PhoneStore } from '#app/field/phone-store.ts';
import { sendOutbox, type Fetch, type Stopped } from '#app/field/send-outbox.ts';
import type { FaultProxy } from '../fault-proxy.ts';
import type { LineFault } from './program.ts';

let hasRoom = true;
// A browser without room refuses what would be added.
const { put } = IDBObjectStore.prototype;
IDBObjectStore.prototype.put = function putIfRoom(...given) {
  if (!hasRoom) throw new DOMException('no room', 'QuotaExceededError');
  return Reflect.apply(put, this, given);
};
export const setRoom = (isLeft: boolean): void => void (hasRoom = isLeft);

/** A fault that is planted in the phone, to see whether it is found. */
export type Planted = 'a new id with each try' | 'gone when no answer came' | undefined;
export type Line = { proxy: FaultProxy; url: string; cookie: () => string };

export type Phone = {
  store: PhoneStore;
  person: Person;
  set: (fault: LineFault) => Promise<void>;
  /** `signal`: the tab is killed: its requests end, and its database writes nothing more. */
  send: (signal?: AbortSignal) => Promise<Stopped | 'killed'>;
  openFile: (file: Blob) => Promise<unknown>;
  close: () => void;
};

export async function openPhone(name: string, person: Person, line: Line, planted: Planted): Promise<Phone> {
  const store = await openPhoneStore(name);
  let fault: LineFault = { kind: 'whole' };

  const ask = async (address: string, init: RequestInit): Promise<Response> => {
    const headers = { ...Object.fromEntries(new Headers(init.headers)), cookie: line.cookie(), origin: line.url };
    const once = () => request(`http://127.0.0.1:${line.proxy.port}${address}`, { ...init, headers });
    switch (fault.kind) {
      case 'down':
        throw new TypeError('no network');
      case 'portal':
        return new Response('<h1>Welcome. Room number?</h1>', {
          status: 200,
          headers: { 'content-type': 'text/html' },
        });
      case 'unavailable':
        return Response.json({ code: 'registry-unavailable', detail: 'Try again in a moment.' }, { status: 503 });
      case 'answers lost':
        await (await once()).arrayBuffer();
        throw new TypeError('the answer was lost');
      case 'twice': {
        const [first, second] = await Promise.all([once(), once()]);
        await first.arrayBuffer();
        return second;
      }
      default:
        return once();
    }
  };

  const plantedFetch: Fetch = async (address, init) => {
    const { body } = init;
    const isVisit = body instanceof URLSearchParams;
    if (planted === 'a new id with each try' && isVisit) body.set('capture_id', crypto.randomUUID());
    const id = isVisit ? (body.get('capture_id') ?? '') : '';
    return ask(address, init).catch(async (error: unknown) => {
      if (planted === 'gone when no answer came') await store.delete('visits', id);
      throw error;
    });
  };

  return {
    store,
    person,
    async set(next) {
      fault = next;
      await line.proxy.set(
        next.kind === 'request cut'
          ? { kind: 'cut-request', afterBytes: next.after }
          : next.kind === 'answer cut'
            ? { kind: 'cut', afterBytes: next.after }
            : { kind: 'none' },
      );
    },
    async send(signal) {
      const tab = await openPhoneStore(name);
      signal?.addEventListener('abort', () => tab.close(), { once: true });
      try {
        return await sendOutbox(tab, person.id, (address, init) =>
          plantedFetch(address, signal === undefined ? init : { ...init, signal }),
        );
      } catch (error) {
        if (signal?.aborted === true) return 'killed';
        throw error;
      } finally {
        tab.close();
      }
    },
    openFile: (file) => importVisit(store, file, person),
    close: () => store.close(),
  };
}

export async function fileOf({ store }: Phone, id: string): Promise<Blob | undefined> {
  const visit = await store.get('visits', id);
  return visit === undefined ? undefined : visitFile(store, visit);
}

/**
 * As fetch does it, with a connection of its own: a fault is that of its own request. Node's fetch ends the process when a
 * connection is cut while its answer is read.
 */
async function request(address: string, { signal, headers, ...init }: RequestInit): Promise<Response> {
  const asked = new Request(address, { ...init, ...(headers === undefined ? {} : { headers }) });
  const body = Buffer.from(await asked.arrayBuffer());
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const sent = httpRequest(
    address,
    {
      method: 'POST',
      agent: false,
      headers: { ...Object.fromEntries(asked.headers), 'content-length': body.length },
      ...(signal == null ? {} : { signal }),
    },
    (answer) => {
      const { statusCode: status = 0, headers: given } = answer;
      buffer(answer).then(
        (bytes) =>
          resolve(
            new Response(status === 303 ? null : new Uint8Array(bytes), {
              status,
              headers: { 'content-type': given['content-type'] ?? '' },
            }),
          ),
        reject,
      );
    },
  );
  sent.on('error', reject);
  sent.end(body);
  return promise;
}
