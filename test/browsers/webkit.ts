// WebKit (Debian's WebKitGTK with its MiniBrowser) over WebDriver classic: https://www.w3.org/TR/webdriver/. It needs a
// screen, which Xvfb plays.
import { freePort } from '#test/cluster.ts';
import { hearErrors } from './in-page.ts';
import { startProgram } from './program.ts';
import type { Handle, Protocol } from './protocol.ts';

export const WEBKIT_PROGRAMS = ['/usr/bin/WebKitWebDriver', '/usr/bin/Xvfb'] as const;
// The name that the standard gives to an element's id.
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';

export async function startWebKit(): Promise<Protocol> {
  const [driverProgram, screenProgram] = WEBKIT_PROGRAMS;
  const screenArgs = ['-displayfd', '1', '-screen', '0', '1400x1000x24', '-nolisten', 'tcp'];
  const screen = await startProgram(screenProgram, screenArgs, { says: /^(\d+)\n/m });
  const port = await freePort();
  const env = { DISPLAY: `:${screen.said}`, GDK_BACKEND: 'x11' };
  // It says nothing when it is ready.
  const driver = await startProgram('/bin/sh', ['-c', `echo driver starts; exec ${driverProgram} --port=${port}`], {
    says: /(driver starts)/,
    env,
  });
  const url = `http://127.0.0.1:${port}`;
  await answers(`${url}/status`);
  const { sessionId } = (await send(`${url}/session`, 'POST', { capabilities: {} })) as { sessionId: string };
  const session = `${url}/session/${sessionId}`;
  const command = (path: string, body?: object, method = 'POST') => send(`${session}/${path}`, method, body);
  await command('window/rect', { x: 0, y: 0, width: 1280, height: 980 });
  const of = (element: Handle) => `element/${element[ELEMENT]}`;
  const run = (source: string, ...args: (string | Handle)[]) =>
    command('execute/sync', { script: `return (${source})(...arguments)`, args });
  // The classic protocol tells of no errors, and this browser writes none while it is driven.
  const errors: string[] = [];
  const hear = async () => {
    const heard = String(await run(String(hearErrors)));
    if (heard !== '') errors.push(heard);
  };
  return {
    async navigate(to) {
      await hear();
      await command('url', { url: to });
      await hear();
    },
    run,
    click: async (element) => void (await command(`${of(element)}/click`, {})),
    type: async (element, text) => void (await command(`${of(element)}/value`, { text })),
    choose: async (element, file) => void (await command(`${of(element)}/value`, { text: file })),
    clearCookies: async () => void (await command('cookie', undefined, 'DELETE')),
    async takeErrors() {
      await hear();
      return errors.splice(0);
    },
    async stop() {
      await send(session, 'DELETE').catch(() => {});
      await driver.stop();
      await screen.stop();
    },
  };
}

async function send(url: string, method: string, body?: object): Promise<unknown> {
  const answer = await fetch(url, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  const { value } = (await answer.json()) as { value: unknown };
  if (answer.ok) return value;
  const { error, message } = value as { error: string; message: string };
  throw new Error(`${url.split('/').slice(5).join('/')}: ${error}: ${message}`);
}

async function answers(url: string): Promise<void> {
  for (let tries = 0; tries < 300; tries += 1) {
    if ((await fetch(url).catch(() => undefined))?.ok === true) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('WebKitWebDriver does not answer');
}
