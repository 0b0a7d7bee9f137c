// An auditor opens every page that an admin reads, is offered nothing that is refused to them, and writes nothing. The
// pages are those of the table of pages: a route that is added is asked too.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PAGES } from '#app/access/pages.ts';
import { may, writes, type Permission } from '#app/access/permissions.ts';
import { existingAdmins } from '#app/people/two-people.server.ts';
import { mailAdmins } from '#app/people/letters.server.ts';
import { currentPolicy } from '#app/policy/queries.server.ts';
import { pagePatterns } from '#test/fuzz/routes.ts';
import routes from '#app/routes.ts';
import { newFinding } from '#test/findings.ts';
import {
  newApplication,
  newPerson,
  newVehicle,
  newWaitingVisit,
  removeVehicle,
  hiddenOf,
  send as sendForm,
  signIn,
  type Fields,
} from '#test/forms/ground.ts';
import { newReport } from '#test/forms/report-rows.ts';
import { newProposal } from '#test/forms/policy-ground.ts';
import { countAdminsWhoCanSignIn } from '#app/access/queries.server.ts';
import { findStaff } from '#app/admins/queries.server.ts';
import { removeAdmin } from '#app/admins/remove-admin.server.ts';
import { GIVEN } from '#test/admins.ts';
import { actingAs, addPerson, cookieOf, type Person } from '#test/people.ts';
import { newVisitWithPhoto } from '#test/photos.ts';
import { newReference, newVerification, newWithdrawal } from '#test/references.ts';
import { startRegistry, type StartedRegistry } from '#test/start-registry.ts';

let registry: StartedRegistry;
let auditor: Reader;
let admin: Reader;
type Reader = { cookie: string; personId: string };
/** An address of each page with parameters. */
let examples: Readonly<Record<string, readonly string[]>>;

const keyOf = ({ email }: { email: string }) => email.replaceAll('.', ',');

beforeAll(async () => {
  registry = await startRegistry();
  const { db } = registry;
  const [mia, removed, own] = [
    await newPerson(db, 'admin'),
    await newPerson(db, 'admin'),
    await newPerson(db, 'auditor'),
  ];
  admin = { ...mia, cookie: await signIn(registry, mia) };
  auditor = { ...own, cookie: await signIn(registry, own) };
  examples = await recordsOf({ mia, removed, own });
}, 180_000);
afterAll(() => registry.stop());

async function recordsOf({ mia, removed, own }: Record<'mia' | 'removed' | 'own', Person>): Promise<typeof examples> {
  const { db } = registry;
  const [tech, gone] = [await newPerson(db, 'technician'), await newPerson(db, 'technician')];
  await db.updateTable('technician').set({ deletedAt: new Date() }).where('id', '=', gone.recordId).execute();
  const { rego } = await newVehicle(db);
  await removeVehicle(db, (await newVehicle(db)).rego)();
  const visits = [(await newWaitingVisit(db)).id, await newVisitWithPhoto(registry, tech, rego)];
  const weighbridge = await newReference(db, removed.personId, 'Audited weighbridge');
  await newVerification(db, removed.personId, weighbridge.id, {});
  const withdrawal = await newWithdrawal(db, mia.personId, weighbridge.id);
  await newProposal(db, await currentPolicy(db), mia);
  const by = await db.selectFrom('actor').select('id').where('personId', '=', mia.personId).executeTakeFirstOrThrow();
  await db
    .updateTable('staff')
    .set({ deletedAt: new Date(), deletedBy: by.id })
    .where('id', '=', removed.recordId)
    .execute();
  const removal = { adminId: removed.recordId, proposedBy: by.id, proposedAt: new Date() };
  await db.insertInto('adminRemoval').values(removal).execute();
  const application = keyOf({ email: await newApplication(db) });
  const finding = await newFinding(db, tech.personId);
  const mine = await newFinding(db, own.personId, { state: 'asked', by: by.id });
  const report = await newReport(db, ['received', 'confirmed']);
  const ofMine = await newReport(db, ['received', 'confirmed', 'asked'], own.personId);
  const reading = await db.selectFrom('calibration').select(['rego', 'id']).executeTakeFirstOrThrow();
  const recorder = await db
    .selectFrom('calibration')
    .innerJoin('actor', 'actor.id', 'calibration.technicianId')
    .innerJoin('technician', 'technician.personId', 'actor.personId')
    .select('actor.personId')
    .executeTakeFirstOrThrow();
  return {
    '/log/entries/:index': ['0'],
    '/reports/:id': [report.id],
    '/my-reports/:id': [ofMine.id],
    '/vehicles/view/:rego': [rego, reading.rego],
    '/vehicles/history/:rego': [reading.rego],
    '/vehicles/follow/:rego': [rego],
    // All vehicles of newVehicle() have this VIN.
    '/vehicles/vins/:vin': ['VIN1'],
    '/calibrations/:rego/:id': [`${reading.rego}/${reading.id}`],
    '/calibrated-by/:personId': [recorder.personId],
    '/references/:id': [weighbridge.id],
    '/references/recalls/:id': [withdrawal.id],
    '/visits/:id': visits,
    '/patterns/:id': [finding],
    '/my-patterns/:id': [mine],
    '/admins/view/:id': [keyOf(mia), keyOf(own)],
    '/applications/view/:id': [application],
    '/technicians/view/:id': [keyOf(tech), keyOf(gone)],
  };
}

const ask = (path: string, { cookie }: Reader, init: RequestInit = {}) =>
  fetch(`${registry.url}${path}`, { ...init, redirect: 'manual', headers: { cookie, origin: registry.url } });

/** How many entries of the log are about what the auditor did. */
async function written(): Promise<number> {
  const entries = await registry.db
    .selectFrom('activityLog')
    .innerJoin('actor', 'actor.id', 'activityLog.actorId')
    .select('activityLog.index')
    .where('actor.personId', '=', auditor.personId)
    .execute();
  return entries.length;
}

/** The addresses of the page: one for each record of it, or one that no record has. */
const addressesOf = (pattern: string) =>
  examples[pattern]?.map((example) => pattern.replace(/:.*$/, example)) ?? [pattern.replaceAll(/:\w+/g, 'x')];

const isOwn = (permission: Permission) => may('public', permission) || permission === 'change own account';
const isOfAdmins = (permission: Permission | undefined): permission is Permission =>
  permission !== undefined && may('admin', permission) && writes(permission) && !isOwn(permission);

// Of a token that only a mail has, of a day that is over, of which a new registry has none, of no HTML, only for who is
// not signed in, and no page at all.
const ELSEWHERE =
  /:(token|file)|\.(csv|pdf)$|^\/(log(in|out)|tech-login|second-factor|reset|setup|portraits|vehicles\/on|field\/data|\*)/;
const READ_BY_ADMINS = pagePatterns(routes).filter((pattern) => {
  const get = PAGES[pattern]?.GET;
  return get !== undefined && may('admin', get) && !isOfAdmins(get) && !ELSEWHERE.test(pattern);
});

/** What a page offers: each link and each form, with its method. */
function offersOf(html: string, page: string): string[] {
  const attribute = (tag: string, name: string) => new RegExp(` ${name}="([^"]*)"`, 'i').exec(tag)?.[1];
  const tags = html.match(/<(a|form|button) [^>]*>/gi) ?? [];
  return tags.flatMap((tag) => {
    const isForm = tag.startsWith('<form');
    const address = attribute(tag, 'href') ?? attribute(tag, isForm ? 'action' : 'formaction');
    if (address === undefined && !isForm) return [];
    const url = new URL((address ?? page).replaceAll('&amp;', '&'), new URL(page, registry.url));
    const method = attribute(tag, 'method') ?? attribute(tag, 'formmethod') ?? 'get';
    const isOffer = url.origin === registry.url && url.pathname !== '/logout';
    return isOffer ? [`${method.toUpperCase()} ${url.pathname}${url.search}`] : [];
  });
}

const isRefused = new Map<string, boolean>();
async function refusesAuditor(offer: string): Promise<boolean> {
  const [method = '', path = ''] = offer.split(' ');
  const answer = isRefused.get(offer) ?? (await ask(path, auditor, { method })).status === 403;
  isRefused.set(offer, answer);
  return answer;
}

test('a page that an admin reads opens for an auditor, and offers nothing that is refused', async () => {
  const before = await written();
  const wrong: string[] = [];
  const onlyForAdmins = new Set<string>();
  for (const path of READ_BY_ADMINS.flatMap(addressesOf)) {
    const [own, theirs] = [await ask(path, auditor), await ask(path, admin)];
    expect([path, own.status]).toEqual([path, 200]);
    for (const offer of offersOf(await own.text(), path))
      if (await refusesAuditor(offer)) wrong.push(`${path} offers ${offer}`);
    for (const offer of offersOf(await theirs.text(), path))
      if (await refusesAuditor(offer)) onlyForAdmins.add(offer.replaceAll(/[\w-]*[\d@][^/]*/g, '…'));
  }
  expect(wrong).toEqual([]);
  // What is looked for is there to be found: an admin is offered much of it on the same pages.
  expect(onlyForAdmins.size).toBeGreaterThan(25);
  expect(await written()).toBe(before);
}, 300_000);

test('every action of an admin is refused to an auditor, and writes nothing', async () => {
  const before = await written();
  const patterns = pagePatterns(routes).filter((pattern) => isOfAdmins(PAGES[pattern]?.POST));
  for (const path of patterns.flatMap(addressesOf)) {
    const body = new URLSearchParams({ form_key: crypto.randomUUID() });
    expect([path, (await ask(path, auditor, { method: 'POST', body })).status]).toEqual([path, 403]);
  }
  expect(patterns.length).toBeGreaterThan(35);
  expect(await written()).toBe(before);
});

test('an admin gives the role and takes it away, and the public log says nothing of it', async () => {
  const { db } = registry;
  const form = { email: 'given@registry.example', name: 'Given', password: GIVEN, access: 'auditor' };
  expect(await send('/admins/new', form, {})).toBe(303);
  const added = await findStaff(db, form.email);
  if (added.state !== 'live') throw new Error('nobody was added');
  expect(added.role).toBe('auditor');
  const login = await fetch(`${registry.url}/login`, {
    method: 'POST',
    headers: { origin: registry.url },
    body: new URLSearchParams({ email: form.email, password: GIVEN }),
    redirect: 'manual',
  });
  const given = { ...added, cookie: cookieOf(login.headers.getSetCookie()) };
  expect((await ask('/new-password', given)).status).toBe(200);
  expect(await send(`/admins/delete/${keyOf(form)}`, {})).toBe(303);
  expect((await findStaff(db, form.email)).state).toBe('removed');
  expect((await ask('/new-password', given)).status).toBe(302);
  const kinds = await db.selectFrom('activityLog').select('kind').where('subjectId', '=', added.recordId).execute();
  expect(kinds.map(({ kind }) => kind)).toEqual(['auditor.added', 'auditor.removed']);
  const leaves = await db
    .selectFrom('recordLeaf')
    .select('leafIndex')
    .where('recordKey', '=', added.recordId)
    .execute();
  expect(leaves).toEqual([]);
});

/** `files`: of a form that is sent in parts. */
async function send(address: string, fields: Fields, files?: Record<string, File>): Promise<number> {
  const hidden = await hiddenOf(registry, address, admin.cookie);
  const form = { address, cookie: admin.cookie, fields: { ...hidden, ...fields } };
  return (await sendForm(registry, files === undefined ? form : { ...form, files })).status;
}

test('an auditor is listed as one, and not as an admin', async () => {
  const { db } = registry;
  const listed = async (path: string, email: string) => (await (await ask(path, admin)).text()).includes(email);
  const { email, personId } = await newPerson(db, 'auditor');
  expect([await listed('/admins', email), await listed('/admins?state=auditor', email)]).toEqual([false, true]);
  expect((await existingAdmins(db)).map((one) => one.personId)).not.toContain(personId);
  await db.transaction().execute((tx) => mailAdmins(tx, { what: 'policy-proposed', about: '', by: 'Mia', path: '/' }));
  const mails = await db.selectFrom('mail').select('recipient').where('kind', '=', 'two-people').execute();
  expect(mails.length).toBeGreaterThan(0);
  expect(mails.map(({ recipient }) => recipient)).not.toContain(email);
});

test('the last admin who can sign in stays, whatever auditors there are', async () => {
  const { db } = registry;
  const mia = await newPerson(db, 'admin');
  const imported = await addPerson(db, 'admin', 'imported@registry.example', { password: null });
  await db
    .updateTable('admin')
    .set({ deletedAt: new Date() })
    .where('id', 'not in', [mia.recordId, imported.recordId])
    .execute();
  const remove = (who: Person) => removeAdmin({ db, now: () => new Date() }, actingAs(who), { email: mia.email });
  expect(await remove(imported)).toEqual({ removed: false, reason: 'last-admin' });
  expect(await remove(await newPerson(db, 'auditor'))).toEqual({ removed: false, reason: 'no-admin-any-more' });
  expect(await countAdminsWhoCanSignIn(db)).toBe(1);
});
