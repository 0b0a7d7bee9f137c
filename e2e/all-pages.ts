// The pages that checkers look at: every public one, and every one of an admin.
import { newReference, newVerification, newWithdrawal } from '#test/references.ts';
import type { StartedRegistry } from '#test/start-registry.ts';
import { weighedBy } from './check-visits.ts';
import { newPerson } from './people.ts';

/** What anybody may open who checks a truck. */
export const PAGES = [
  '/',
  '/?q=XV',
  '/?q=ZZZZ9',
  '/?q=%25',
  '/search',
  '/search?q=XV',
  '/about',
  '/contact',
  '/log',
  '/log/entries/35',
  '/vehicles/view/XV04KL',
  '/vehicles/view/XV04KL?image=2',
  '/vehicles/view/XV04KL?steer=1.2&drive=9&trailera=x',
  '/vehicles/view/XV11QT',
  '/vehicles/view/XV27BD',
  '/vehicles/view/XV38MN',
  '/vehicles/view/XV52TR',
  '/vehicles/view/NOPE99',
  '/vehicles/view/-',
  '/vehicles/follow/XV04KL',
  '/vehicles/follow/XV04KL?sent',
  '/no-page',
  '/tech-register',
  '/login',
  '/tech-login',
  '/second-factor',
  '/reset',
  '/reset?sent',
  `/reset/${'x'.repeat(43)}`,
  '/setup',
  '/logout',
];
/** Public too, but nobody who checks a truck loads their scripts. */
export const PAGES_BESIDE = [
  '/reports/new?vehicle=XV04KL',
  '/reports/mine',
  '/reports/counts',
  `/reports/r/${'x'.repeat(43)}`,
  `/reports/mine/${'x'.repeat(43)}`,
  '/vehicles/history/XV04KL',
  '/vehicles/on/2020-03-12/XV04KL',
  '/check',
  '/combination',
  '/combination?unit=XV04KL&unit=XV27BD&unit=NOPE99',
  '/check/follow',
  '/check/follow?sent',
  `/follow/mine/${'x'.repeat(43)}`,
  `/following/${'x'.repeat(43)}`,
  `/following/${'x'.repeat(43)}/end`,
  `/follow/confirm/${'x'.repeat(43)}`,
  `/follow/leave/${'x'.repeat(43)}`,
  `/lists/${'x'.repeat(43)}`,
  `/lists/${'x'.repeat(43)}/end`,
  '/references',
  '/references?q=zzzz',
  '/method',
  '/patterns/method',
  '/log/witnesses',
  '/field',
];
/** With an admin's session. */
export const SIGNED_IN_PAGES = [
  '/dashboard',
  '/find',
  '/find?q=XV',
  '/find?q=zzzz',
  '/my-calibrations',
  '/my-patterns',
  '/patterns',
  '/patterns?state=decided&q=zzzz',
  '/reports',
  '/reports?state=decided&q=zzzz',
  '/visits/taken-over',
  '/visits/alike?checks=prompt',
  '/check-visits',
  '/my-profile',
  '/profile/update',
  '/settings',
  '/settings/second-factor',
  '/settings/tell',
  '/settings/jobs',
  '/settings/policy',
  '/settings/policy/proposal',
  '/new-password',
  '/vehicles',
  '/vehicles?verdict=overdue,due-soon&sort=due&dir=asc',
  '/vehicles?q=zzzz',
  '/logs',
  '/logs?who=zzzz',
  '/logs?record=XV04KL&from=2026-02-30&to=2026-01-01',
  '/references/new',
  '/references/import',
  '/vehicles/new',
  '/vehicles/import',
  '/vehicles/kept?of=q%3DXV',
  '/vehicles?due_from=2026-12-01&visits=waits',
  '/vehicles/update/XV04KL',
  '/vehicles/plate/XV04KL',
  '/vehicles/delete/XV04KL',
  '/vehicles/removed',
  '/vehicles/vins',
  '/applications',
  '/applications?q=zzzz',
  '/technicians',
  '/technicians/view/j,nguyen@northernscales,example',
  '/technicians/delete/j,nguyen@northernscales,example',
  '/technicians/suspend/j,nguyen@northernscales,example',
  '/technicians/licence/j,nguyen@northernscales,example',
  '/vehicles/view/XV04KL',
  '/vehicles/view/XV04KL?calibrate',
  '/vehicles/calibrate/XV04KL',
  '/admins',
  '/admins?q=zzzz',
  '/admins/removals',
  '/admins/new',
  '/admins/view/mia,kowalski@registry,example',
  '/admins/view/nobody@registry,example',
  '/admins/update/mia,kowalski@registry,example',
  '/admins/delete/mia,kowalski@registry,example',
];
/** The page of a reading. */
export async function anEntry({ db }: StartedRegistry): Promise<string> {
  const entry = db.selectFrom('calibration').select('id').where('rego', '=', 'XV04KL').limit(1);
  return `/calibrations/XV04KL/${(await entry.executeTakeFirstOrThrow()).id}`;
}

/** A visit of somebody else, and the form that asks for a check visit of it. */
export async function checkVisitPages(registry: StartedRegistry): Promise<string[]> {
  const { visit } = await weighedBy(registry, await newPerson(registry, 'technician'), 2);
  return [`/visits/${visit}`, `/visits/${visit}/check`];
}

/** Of one with a verification: its page first, then those of its forms. */
export async function weighbridgePages(registry: StartedRegistry): Promise<string[]> {
  const { personId } = await newPerson(registry, 'admin');
  const { id } = await newReference(registry.db, personId, `Checked ${personId}`);
  const verification = await newVerification(registry.db, personId, id, {});
  const page = `/references/${id}`;
  const withdrawal = await newWithdrawal(registry.db, personId, id);
  return [
    page,
    ...['update', 'verify', 'repair', 'recall?from=2026-05-03&to=2026-05-19'].map((form) => `${page}/${form}`),
    `${page}/withdraw/${verification.id}`,
    `/references/recalls/${withdrawal.id}`,
  ];
}

/** Only a removed person can be erased. */
export async function erasePages({ db }: StartedRegistry): Promise<string[]> {
  const pages: string[] = [];
  for (const role of ['admin', 'technician'] as const) {
    const { email } = await newPerson({ db }, role);
    await db.updateTable(role).set({ deletedAt: new Date() }).where('email', '=', email).execute();
    pages.push(`/${role}s/erase/${email.replaceAll('.', ',')}`);
  }
  return pages;
}
