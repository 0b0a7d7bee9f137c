// What the table of forms stands on: a running registry, records for each form, and a sender without scripts.
import { randomUUID } from 'node:crypto';
import type { CheckResult } from '#app/visits/visit-facts.ts';
import { everySlipOf } from '#app/recording/entry-slips.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import { tableOf } from '#app/people/profile-queries.server.ts';
import type { ImportPreview } from '#app/vehicle-import/import-answer.ts';
import { previewImport } from '#app/vehicle-import/import-block.server.ts';
import { readVehicles } from '#app/vehicle-import/read-vehicles.server.ts';
import { addFollower } from '#test/followers.ts';
import { addPerson, cookieOf, PASSWORD, type Person } from '#test/people.ts';
import type { StartedRegistry } from '#test/start-registry.ts';

let made = 0;
export const newRego = (): string => `FORM${(made += 1)}`;
export const newEmail = (): string => `form${(made += 1)}@forms.example`;
export const keyOf = (email: string): string => email.replaceAll('.', ',');

export async function newVehicle(db: Db, more: { deletedAt?: Date } = {}): Promise<{ id: string; rego: string }> {
  const values = { rego: newRego(), make: 'Volvo', vin: 'VIN1', ...more };
  return db.insertInto('vehicle').values(values).returning(['id', 'rego']).executeTakeFirstOrThrow();
}

/** A visit that waits, of a technician who is not known. */
export async function newWaitingVisit(
  db: Db,
  checks: readonly CheckResult[] = [],
): Promise<{ id: string; rego: string }> {
  const { id: vehicleId, rego } = await newVehicle(db);
  const day = '2026-01-05';
  const dates = { visitedAt: new Date(`${day}T01:00:00Z`), visitedOn: day, closedAt: new Date(), dueOn: '2026-07-06' };
  const { id } = await db
    .insertInto('visit')
    .values({ vehicleId, ...dates, state: 'waits', judged: 'waits', checks: JSON.stringify(checks) })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, rego };
}

export const removeVehicle = (db: Db, rego: string) => () =>
  db.updateTable('vehicle').set({ deletedAt: new Date() }).where('rego', '=', rego).execute();

export const newPerson = (db: Db, role: Person['role']): Promise<Person> => addPerson(db, role, newEmail());

export const setRemoved = (db: Db, { role, recordId }: Person, deletedAt: Date | null) =>
  db.updateTable(tableOf(role)).set({ deletedAt }).where('id', '=', recordId).execute();

export async function newApplication(db: Db): Promise<string> {
  const email = newEmail();
  await db.insertInto('application').values({ email, companyName: 'Northside' }).execute();
  return email;
}

export const decide = (db: Db, email: string) => () =>
  db
    .updateTable('application')
    .set({ decision: 'deleted', decidedAt: new Date() })
    .where('email', '=', email)
    .execute();

/** Somebody who is asked to confirm that they follow a vehicle, and the token of the mail. */
export async function newFollower(db: Db): Promise<{ id: string; token: string }> {
  const { id: vehicleId } = await newVehicle(db);
  return addFollower(db, { vehicleId, email: newEmail() });
}

/** Somebody who follows a list, and the token in a mail about it. */
export const newList = (db: Db): Promise<{ id: string; token: string }> =>
  addFollower(db, { list: 'XV04KL', email: newEmail(), confirmedOn: '2026-01-05' });

/** What an admin has seen of an import of `csv`. */
export async function previewOf(db: Db, csv: string): Promise<ImportPreview> {
  const read = readVehicles(csv);
  if (!read.ok) throw new Error(read.message);
  return previewImport({ db, now: () => new Date(), config: { timeZone: 'Australia/Sydney' } }, read);
}

/** A reading as the dialog sends it. */
export const readingOf = (rego: string, value: string): Record<string, string> => ({
  rego,
  axle: 'steer',
  attribute: 'Empty Weight',
  value,
  due_date: '',
  all_the_same: everySlipOf({ axle: 'STEER', attribute: 'Empty Weight', value }),
});

export async function signIn({ url }: StartedRegistry, { email }: Person): Promise<string> {
  const body = new URLSearchParams({ email, password: PASSWORD });
  const sending = { method: 'POST', headers: { origin: url }, body, redirect: 'manual' } as const;
  const answer = await fetch(`${url}/login`, sending);
  return cookieOf(answer.headers.getSetCookie().filter((line) => line.includes('session_token')));
}

export type Fields = Readonly<Record<string, string>>;

/** What the page's forms carry unseen: a key, the version that was opened, the texts of then. */
export async function hiddenOf({ url }: StartedRegistry, address: string, cookie: string): Promise<Fields> {
  const answer = await fetch(`${url}${address}`, { headers: { cookie }, redirect: 'manual' });
  const tags = (await answer.text()).match(/<input type="hidden"[^>]*>/g) ?? [];
  const attribute = (tag: string, name: string) => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1];
  const hidden = Object.fromEntries(tags.map((tag) => [attribute(tag, 'name') ?? '', attribute(tag, 'value') ?? '']));
  return { ...hidden, form_key: randomUUID() };
}

export type Form = { address: string; cookie: string; fields: Fields; files?: Readonly<Record<string, File>> };

/** Sends it as a browser without scripts does. Redirects are not followed. */
export async function send({ url }: StartedRegistry, form: Form, signal?: AbortSignal): Promise<Response> {
  let body: URLSearchParams | FormData = new URLSearchParams(form.fields);
  if (form.files !== undefined) {
    body = new FormData();
    for (const [name, value] of [...Object.entries(form.fields), ...Object.entries(form.files)]) body.set(name, value);
  }
  return fetch(`${url}${form.address}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: url, cookie: form.cookie },
    body,
    ...(signal === undefined ? {} : { signal }),
  });
}

/** An answer in one line: its status, where it leads, the flash message, and its page. */
export async function summaryOf(answer: Response): Promise<string> {
  const flash = /registry-notice=([a-z-]+)\./.exec(answer.headers.getSetCookie().join(' '))?.[1] ?? '';
  const page = (await answer.text()).replaceAll('&#x27;', "'");
  return `${answer.status} ${answer.headers.get('location') ?? ''} ${flash} ${page}`.replaceAll(/\s+/g, ' ');
}
