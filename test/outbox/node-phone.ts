// A phone with the product's own outbox, over an IndexedDB in memory, and a line to a running registry that fails on
// command.
import { randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { buffer } from 'node:stream/consumers';
import 'fake-indexeddb/auto';
import { deleteVisit, keepVisit, listVisits, photosOf, sendAgain } from '#app/field/outbox.ts';
import { openPhoneStore } from '#app/field/phone-store.ts';
import { sendOutbox, type Fetch } from '#app/field/send-outbox.ts';
import { importVisit, readVisitFile, visitFile } from '#app/field/visit-file.ts';
import type { LineFault } from './program.ts';
import { FAULT_OF_LINE, type OpenPhone } from './test-phone.ts';

let hasRoom = true;
// A browser without room refuses what would be added.
const { put } = IDBObjectStore.prototype;
IDBObjectStore.prototype.put = function putIfRoom(...given) {
  if (!hasRoom) throw new DOMException('no room', 'QuotaExceededError');
  return Reflect.apply(put, this, given);
};

export const openNodePhone: OpenPhone = async (person, line, planted) => {
  const name = `phone ${randomUUID()}`;
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

  const sendOnce = async (signal?: AbortSignal): Promise<boolean> => {
    const tab = await openPhoneStore(name);
    signal?.addEventListener('abort', () => tab.close(), { once: true });
    try {
      const stopped = await sendOutbox(tab, person.id, (address, init) =>
        plantedFetch(address, signal === undefined ? init : { ...init, signal }),
      );
      return stopped === 'done';
    } catch (error) {
      // A killed tab: its requests ended, and its database writes nothing more.
      if (signal?.aborted === true) return false;
      throw error;
    } finally {
      tab.close();
    }
  };

  return {
    keep: (visit, { state, now, photos }) =>
      keepVisit(store, visit, {
        state,
        person,
        now,
        photos: photos?.map(({ id, name: called, bytes }) => ({
          id,
          name: called,
          type: 'image/jpeg',
          bytes,
        })),
      }).catch(unlessFull),
    remove: (id) => deleteVisit(store, id),
    async again(id) {
      await sendAgain(store, id).catch(unlessFull);
    },
    async file(id) {
      const visit = await store.get('visits', id);
      return visit === undefined ? undefined : (await visitFile(store, visit)).text();
    },
    async openFile(text) {
      const read = await readVisitFile(new Blob([text]));
      if (read !== undefined) await importVisit(store, read, { person, wasThere: 'yes' }).catch(unlessFull);
    },
    async send({ tabs, killAfterMs } = { tabs: 1, killAfterMs: null }) {
      const killed = new AbortController();
      const sending = Array.from({ length: tabs }, (_, tab) => sendOnce(tab === 0 ? killed.signal : undefined));
      const timer = killAfterMs === null ? undefined : setTimeout(() => killed.abort(), killAfterMs);
      const done = await Promise.all(sending);
      clearTimeout(timer);
      return done.every(Boolean);
    },
    async set(next) {
      fault = next;
      await line.proxy.set(FAULT_OF_LINE(next));
    },
    async setRoom(isLeft) {
      hasRoom = isLeft;
    },
    // There are none here.
    async emptyCaches() {},
    async visits() {
      const visits = await listVisits(store);
      return Promise.all(visits.map(async (visit) => ({ visit, photos: (await photosOf(store, visit.id)).length })));
    },
    async close() {
      store.close();
    },
  };
};

function unlessFull(error: unknown): false {
  if (error instanceof DOMException && error.name === 'QuotaExceededError') return false;
  throw error;
}

/**
 * As fetch does it, with a connection of its own: a fault is that of its own request. Node's fetch ends the process
 * when a connection is cut while its answer is read.
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
