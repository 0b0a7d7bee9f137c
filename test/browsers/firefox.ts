// Firefox over WebDriver BiDi, which it speaks itself on a WebSocket: https://w3c.github.io/webdriver-bidi/.
import { startProgram } from './program.ts';
import type { Handle, Protocol } from './protocol.ts';

export const FIREFOX = '/usr/bin/firefox-esr';

type Answer = { id?: number; type: string; method?: string; result?: unknown; message?: string; params?: unknown };
type Remote = { type: string; value?: unknown; sharedId?: string };
type Entry = { level: string; text: string | null };

export async function startFirefox(): Promise<Protocol> {
  const args = ['--headless', '--no-remote', '--profile', 'HOME', '--remote-debugging-port', '0'];
  const program = await startProgram(FIREFOX, args, { says: /BiDi listening on (ws:\S+)/ });
  const socket = await openSocket(`${program.said}/session`);
  const waiting = new Map<number, (answer: Answer) => void>();
  const errors: string[] = [];
  socket.addEventListener('message', ({ data }) => {
    const answer = JSON.parse(String(data)) as Answer;
    if (answer.id !== undefined) waiting.get(answer.id)?.(answer);
    if (answer.method !== 'log.entryAdded') return;
    const { level, text } = answer.params as Entry;
    if (level === 'error') errors.push(text ?? '');
  });
  socket.addEventListener('close', () => {
    for (const end of waiting.values()) end({ type: 'error', message: 'Firefox has ended' });
  });
  let sent = 0;
  const send = async <T>(method: string, params: object = {}): Promise<T> => {
    const id = (sent += 1);
    const answer = await new Promise<Answer>((resolve) => {
      waiting.set(id, resolve);
      socket.send(JSON.stringify({ id, method, params }));
    });
    waiting.delete(id);
    if (answer.type !== 'success') throw new Error(`${method}: ${answer.message}`);
    return answer.result as T;
  };
  await send('session.new', { capabilities: {} });
  await send('session.subscribe', { events: ['log.entryAdded'] });
  const { contexts } = await send<{ contexts: { context: string }[] }>('browsingContext.getTree');
  const context = contexts[0]?.context ?? '';
  await send('browsingContext.setViewport', { context, viewport: { width: 1280, height: 900 } });
  const click = (element: Handle) =>
    send('input.performActions', {
      context,
      actions: [
        {
          type: 'pointer',
          id: 'pointer',
          actions: [
            { type: 'pointerMove', x: 0, y: 0, origin: { type: 'element', element } },
            { type: 'pointerDown', button: 0 },
            { type: 'pointerUp', button: 0 },
          ],
        },
      ],
    });
  return {
    navigate: async (url) => void (await send('browsingContext.navigate', { context, url, wait: 'complete' })),
    async run(source, ...args) {
      const answer = await send<{ type: string; result?: Remote; exceptionDetails?: { text: string } }>(
        'script.callFunction',
        {
          functionDeclaration: source,
          target: { context },
          awaitPromise: true,
          arguments: args.map((arg) => (typeof arg === 'string' ? { type: 'string', value: arg } : arg)),
        },
      );
      if (answer.result === undefined) throw new Error(answer.exceptionDetails?.text);
      const { sharedId, value } = answer.result;
      return sharedId === undefined ? (value ?? null) : { sharedId };
    },
    click: async (element) => void (await click(element)),
    async type(element, text) {
      await click(element);
      const keys = [...text].flatMap((value) => [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
      ]);
      await send('input.performActions', { context, actions: [{ type: 'key', id: 'keys', actions: keys }] });
    },
    choose: async (element, file) => void (await send('input.setFiles', { context, element, files: [file] })),
    clearCookies: async () => void (await send('storage.deleteCookies')),
    takeErrors: () => Promise.resolve(errors.splice(0)),
    async stop() {
      socket.close();
      await program.stop();
    },
  };
}

async function openSocket(url: string): Promise<WebSocket> {
  const socket = new WebSocket(url);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', () => reject(new Error(`no WebSocket at ${url}`)));
  });
  return socket;
}
