// Adds accounts for browser tests, and signs browsers in.
import type { AccountRole } from '#app/access/permissions.ts';
import { expect, type Page } from '@playwright/test';
import { addPerson, cookieOf, PASSWORD, type Person } from '#test/people.ts';
import type { StartedRegistry } from '#test/start-registry.ts';

let added = 0;

/** A new admin or technician, so that tests side by side do not end each other's sessions. */
export function newPerson(
  registry: Pick<StartedRegistry, 'db'>,
  role: AccountRole,
  more: Parameters<typeof addPerson>[3] = {},
): Promise<Person> {
  added += 1;
  const name = role === 'admin' ? 'Mia Kowalski' : 'Jo Nguyen';
  return addPerson(registry.db, role, `${role}${added}.${process.pid}@registry.example`, { name, ...more });
}

/** Fills in the sign-in form and sends it. */
export async function fillSignIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByRole('textbox', { name: 'Email' }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Submit' }).click();
}

/** Gives the browser a session of this person. The pages of the sign-in itself: `people-sign-in`. */
export async function signInAs(page: Page, person: Person): Promise<void> {
  const answer = await page.request.post('/login', {
    headers: { 'sec-fetch-site': 'same-origin' },
    form: { email: person.email, password: PASSWORD },
  });
  const { pathname } = new URL(answer.url());
  // The page that refuses says why.
  if (pathname !== '/dashboard') throw new Error(`${answer.status()} at ${pathname}: ${mainText(await answer.text())}`);
}

const mainText = (html: string) =>
  (/<main.*<\/main>/s.exec(html)?.[0] ?? html).replaceAll(/<[^>]*>/g, ' ').slice(0, 1000);

export { PASSWORD, type Person };

/** Signs in without a browser. Returns the Cookie header, and the session's id in the database. */
export async function sessionOf(
  registry: StartedRegistry,
  person: Person,
): Promise<{ cookie: string; sessionId: string }> {
  const answer = await fetch(`${registry.url}/login`, {
    method: 'POST',
    headers: { origin: registry.url },
    body: new URLSearchParams({ email: person.email, password: PASSWORD }),
    redirect: 'manual',
  });
  const cookie = cookieOf(answer.headers.getSetCookie().filter((line) => line.includes('session_token')));
  const token =
    decodeURIComponent(cookie)
      .replace(/.*session_token=/, '')
      .split('.')[0] ?? '';
  const { id } = await registry.db
    .selectFrom('session')
    .select('id')
    .where('token', '=', token)
    .executeTakeFirstOrThrow();
  return { cookie, sessionId: id };
}

/** An admin's decision on 'calibration validated', as the form without scripts sends it. */
export async function decideValidation(
  url: string,
  cookie: string,
  rego: string,
  validated: 'yes' | 'no',
): Promise<void> {
  const answer = await fetch(`${url}/vehicles/validate/${rego}`, {
    method: 'POST',
    headers: { origin: url, cookie },
    body: new URLSearchParams({ validated, reason: 'a test' }),
    redirect: 'manual',
  });
  expect(answer.status).toBe(303);
}
