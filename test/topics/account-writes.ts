// The writes about accounts and their profiles, for writes.ts.
import type { ActivityKind } from '#app/activity-log/activity.ts';
import { addAdmin } from '#app/admins/add-admin.server.ts';
import { findStaff, listRemovals } from '#app/admins/queries.server.ts';
import { decideRemoval, endDueRemovals, removeAdmin } from '#app/admins/remove-admin.server.ts';
import { noticeEnds } from '#app/people/two-people.server.ts';
import { findProfile, type Profile } from '#app/people/profile-queries.server.ts';
import { PROFILE_UPDATED, recordUpdated, updateProfile, type ProfileEntry } from '#app/people/update-profile.server.ts';
import { changePassword } from '#app/sign-in/change-password.server.ts';
import { makeResetToken, resetPassword } from '#app/sign-in/reset-password.server.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  pendingSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
} from '#app/sign-in/second-factor.server.ts';
import { createAdmin } from '#app/sign-in/set-up-registry.server.ts';
import { codeFor } from '#test/one-time-codes.ts';
import { adminInput } from '#test/admins.ts';
import { cookieOf, VISITOR } from '#test/people.ts';
import { ADDED_ADMIN, COLLEAGUE, type Account, type World } from './world.ts';

const AUDITOR = 'auditor@registry.example';
const NEW_PASSWORD = 'another weighbridge, in the sun';

const visitor = ({ cookie }: Account) => ({ ...VISITOR, cookie });

export const ACCOUNT_WRITES = {
  async 'admin.added'({ services, admin, whoOf }) {
    const none = { name: 'Ada Added', phone: '', address: '', role: '', dob: null, image: '', notes: '' };
    return addAdmin(services, await whoOf(admin), {
      input: { ...none, email: ADDED_ADMIN, password: NEW_PASSWORD },
      key: undefined,
    });
  },
  'admin.removed': async ({ services, admin, whoOf }) =>
    removeAdmin(services, await whoOf(admin), { email: ADDED_ADMIN }),
  async 'removal.refused'({ services, admin, whoOf }) {
    const [removal] = await listRemovals(services.db);
    // The one who removed takes it back.
    const input = { id: removal?.id ?? '', decision: 'refuse' } as const;
    return decideRemoval(services, await whoOf(admin), { ...input, key: undefined });
  },
  async 'removal.confirmed'({ services, admin, whoOf }) {
    const { db, now } = services;
    await removeAdmin(services, await whoOf(admin), { email: ADDED_ADMIN });
    return endDueRemovals({ db, now: () => noticeEnds(now()) });
  },
  async 'admin.updated'(world) {
    const { id } = await world.services.db
      .selectFrom('admin')
      .select('id')
      .where('email', '=', COLLEAGUE)
      .executeTakeFirstOrThrow();
    return updatePhone(world, world.admin, { role: 'admin', recordId: id }, recordUpdated('admin'));
  },
  'profile.updated': async (world) => updatePhone(world, world.admin, await world.whoOf(world.admin), PROFILE_UPDATED),
  'password.set': ({ services }) =>
    createAdmin(services, { email: COLLEAGUE, name: 'Daniel Okafor', password: NEW_PASSWORD, mustChange: false }),
  async 'password.reset'({ services }) {
    const made = await services.db
      .transaction()
      .execute((tx) => makeResetToken(tx, COLLEAGUE, { now: services.now(), lifeMs: 3_600_000 }));
    return resetPassword(services, { token: made?.token ?? '', password: `${NEW_PASSWORD}!` });
  },
  async 'password.changed'({ services, admin, whoOf }) {
    const words = { current: admin.password, password: NEW_PASSWORD };
    const changed = await changePassword(services, await whoOf(admin), { visitor: visitor(admin), ...words });
    if (!changed.changed) return changed;
    admin.password = NEW_PASSWORD;
    goOnWith(admin, changed.setCookies);
    return changed;
  },
  async 'second-factor.added'(world) {
    const { services, admin, whoOf } = world;
    const who = await whoOf(admin);
    await beginSecondFactor(services, who, { visitor: visitor(admin), password: admin.password });
    const uri = (await pendingSecondFactor(services, who.personId)) ?? '';
    const code = await codeFor(new URL(uri).searchParams.get('secret') ?? '');
    const added = await confirmSecondFactor(services, who, { visitor: visitor(admin), code });
    if (!added.done) return added;
    world.recoveryCodes = added.recoveryCodes;
    goOnWith(admin, added.setCookies);
    return added;
  },
  async 'recovery-codes.renewed'(world) {
    const { services, admin, whoOf, recoveryCodes } = world;
    const proof = { password: admin.password, code: recoveryCodes[0] ?? '' };
    const renewed = await renewRecoveryCodes(services, await whoOf(admin), { visitor: visitor(admin), proof });
    if (renewed.done) world.recoveryCodes = renewed.recoveryCodes;
    return renewed;
  },
  async 'second-factor.removed'({ services, admin, whoOf, recoveryCodes }) {
    const proof = { password: admin.password, code: recoveryCodes[0] ?? '' };
    const removed = await removeSecondFactor(services, await whoOf(admin), { visitor: visitor(admin), proof });
    if (removed.done) goOnWith(admin, removed.setCookies);
    return removed;
  },
  async 'auditor.added'({ services, admin, whoOf }) {
    return addAdmin(services, await whoOf(admin), {
      input: { ...adminInput(AUDITOR), access: 'auditor' },
      key: undefined,
    });
  },
  async 'auditor.updated'(world) {
    const found = await findStaff(world.services.db, AUDITOR);
    if (found.state !== 'live') throw new Error('the auditor is gone');
    return updatePhone(world, world.admin, found, recordUpdated('auditor'));
  },
  'auditor.removed': async ({ services, admin, whoOf }) =>
    removeAdmin(services, await whoOf(admin), { email: AUDITOR }),
} satisfies Partial<Record<ActivityKind, (world: World) => Promise<unknown>>>;

/** Gives the person of a profile another phone. */
export async function updatePhone(
  { services, whoOf }: World,
  by: Account,
  { role, recordId }: Pick<Profile, 'role' | 'recordId'>,
  entry: ProfileEntry,
) {
  const target = { role, recordId };
  const before = await findProfile(services.db, target);
  if (before === undefined) throw new Error('there is no such profile');
  const { name, address, gender, notes, version, bornOn: dob } = before;
  const input = { name: name || 'Somebody', phone: '0491 570 999', address, gender, notes, version, dob, image: '' };
  return updateProfile(services, await whoOf(by), { target, input, key: undefined, entry });
}

// What a browser would send from now on.
function goOnWith(account: Account, setCookies: readonly string[]): void {
  const lines = setCookies.filter((line) => line.includes('session_token'));
  if (lines.length > 0) account.cookie = cookieOf(lines);
}
