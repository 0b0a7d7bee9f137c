// Where histories happen: one database for many of them, each with regos and people of its own.
import type { SignedIn } from '#app/access/session.server.ts';
import { setPassword } from '#app/sign-in/set-password.server.ts';
import { findOrAddActor } from '#app/activity-log/actor.server.ts';
import { enterFirstPolicy, enterVersion, lockPolicy } from '#app/policy/enter-version.server.ts';
import { policyChanges } from '#app/policy/policy-fields.ts';
import { FIRST_POLICY } from '#app/policy/policy.ts';
import { currentPolicy, findProposal } from '#app/policy/queries.server.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import { hashPassword } from '#app/platform/auth/password-hash.server.ts';
import { addReference } from '#app/references/add-reference.server.ts';
import { referenceLine } from '#app/references/reference.ts';
import { referenceInput } from '#test/references.ts';
import type { Client, Weighbridge } from './operation.ts';
import type { PeopleState } from './people-model.ts';
import { nameOf } from './perform.ts';
import { CLIENTS, type Program } from './program.ts';

export type ClientPerson = { client: Client; who: SignedIn };
export type Cast = {
  clients: readonly ClientPerson[];
  /** The admins that there are, by address, with their records' ids. */
  admins: ReadonlyMap<string, string>;
  people: PeopleState;
  /** Of the policy, which has the first rules. */
  version: number;
  /** The weighbridge that is withdrawn. */
  reference: Weighbridge | null;
  /** The only admin is no other's, so that nobody else could decide. */
  isAlone: boolean;
};

let password: Promise<string> | undefined;

/**
 * Puts eight people in, as many of them admins as the program says; other admins of this database go, and other rules.
 */
export async function castFor(db: Db, program: Program, name: string): Promise<Cast> {
  const version = await setFirstRules(db);
  const hasPeople = program.applicants.length > 0;
  const emails = Array.from({ length: CLIENTS }, (_, nth) => `c${nth}.${name}@histories.example`);
  const persons = await db
    .insertInto('person')
    .values(emails.map((email) => ({ email })))
    .returning(['id', 'email'])
    .execute();
  const idOf = new Map(persons.map(({ id, email }) => [email, id]));
  const clients = emails.map((email, nth): ClientPerson => {
    const role = nth < program.admins ? 'admin' : 'technician';
    const client = { email, name: nameOf(email), role } as const;
    const session = { sessionId: '', recordId: '', mustChangePassword: false, hasSecondFactor: false };
    return { client, who: { ...client, personId: idOf.get(email) ?? '', ...session } };
  });
  const admins = clients.filter(({ client }) => client.role === 'admin').map(({ client: { email } }) => email);
  const imported = hasPeople && program.imported ? [`imported.${name}@histories.example`] : [];
  const recordIds = await addAdmins(db, idOf, admins, imported);
  const isAlone = admins.length === 1;
  const [first] = clients;
  const reference = program.withdrawals && first !== undefined ? await addWeighbridge(db, first.who, name) : null;
  if (!hasPeople) return { clients, admins: new Map(), people: people([]), version, reference, isAlone };
  const state = [...recordIds.keys()].map((email) => ({
    mark: email,
    email,
    live: true,
    version: 1,
    address: '',
    canSignIn: !imported.includes(email),
    removedBy: null,
  }));
  return { clients, admins: recordIds, people: people(state), version, reference, isAlone };
}

const people = (admins: PeopleState['admins']): PeopleState => ({
  admins,
  applications: [],
  technicians: [],
  kept: {},
});

async function setFirstRules(db: Db): Promise<number> {
  await enterFirstPolicy(db);
  return db.transaction().execute(async (tx) => {
    await lockPolicy(tx);
    const inForce = await currentPolicy(tx);
    const isFirst = policyChanges(inForce, FIRST_POLICY).length === 0;
    if (isFirst && (await findProposal(tx)) === undefined) return inForce.version;
    const changedBy = await findOrAddActor(tx, { name: 'Registry', email: 'rules@histories.example' });
    const activity = { actorId: changedBy, details: '', persons: [] };
    return enterVersion(tx, inForce, { rules: FIRST_POLICY, reason: '', changedBy, activity });
  });
}

async function addWeighbridge(db: Db, who: SignedIn, name: string): Promise<Weighbridge> {
  const input = referenceInput({ name });
  const { id } = await addReference(db, who, { input, key: undefined });
  return { id, line: referenceLine(input) };
}

// Straight into the tables, without entries in the transparency log: a password's hash takes its time.
async function addAdmins(
  db: Db,
  idOf: Map<string | null, string>,
  withPassword: readonly string[],
  without: readonly string[],
): Promise<Map<string, string>> {
  password ??= hashPassword('a weighbridge in the rain');
  const hash = await password;
  return db.transaction().execute(async (tx) => {
    for (const email of without) {
      const { id } = await tx.insertInto('person').values({ email }).returning('id').executeTakeFirstOrThrow();
      idOf.set(email, id);
    }
    await tx.updateTable('admin').set({ deletedAt: new Date() }).where('deletedAt', 'is', null).execute();
    await tx
      .updateTable('adminRemoval')
      .set({ outcome: 'stood', endedAt: new Date() })
      .where('outcome', 'is', null)
      .execute();
    const added = await tx
      .insertInto('admin')
      .values(
        [...withPassword, ...without].map((email) => ({
          personId: idOf.get(email) ?? '',
          email,
          name: nameOf(email),
          notes: email,
          // Long before any visit of theirs.
          addedAt: new Date('2020-01-01'),
        })),
      )
      .returning(['id', 'email'])
      .execute();
    for (const email of withPassword)
      await setPassword(tx, { personId: idOf.get(email) ?? '', name: nameOf(email), email, hash, mustChange: false });
    return new Map(added.map(({ id, email }) => [email, id]));
  });
}
