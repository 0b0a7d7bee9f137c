// A person who was a technician and is admitted as an admin, or the other way round, comes with a second leaf: the
// registry has no other change of a role.
import type { Tx } from '#app/platform/database/database.server.ts';
import type { LeafEvent } from '#app/transparency-log/draft-leaf.server.ts';

/** The leaf of an admission, and with it `role.changed` where the person has had the other role. */
export async function withRoleChange(tx: Tx, personId: string, admission: LeafEvent): Promise<LeafEvent[]> {
  const role = admission.type === 'admin.added' ? 'admin' : 'technician';
  const before = await tx
    .selectFrom(role === 'admin' ? 'technician' : 'admin')
    .select('id')
    .where('personId', '=', personId)
    .limit(1)
    .execute();
  return before.length === 0 ? [admission] : [admission, { ...admission, type: 'role.changed', body: { role } }];
}
