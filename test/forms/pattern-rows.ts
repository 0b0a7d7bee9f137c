// The forms about findings of patterns.
import { FAILURES } from '#app/forms/failures.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import { newFinding } from '#test/findings.ts';
import type { Person } from '#test/people.ts';
import { newPerson, signIn } from './ground.ts';
import { NO_FILES, type Row } from './row.ts';

export const PATTERN_ROWS: readonly Row[] = [
  {
    route: 'patterns/routes/finding.tsx',
    inBrowser: { button: 'Decide', failure: FAILURES.finding },
    async open({ db }) {
      const technician = await newPerson(db, 'technician');
      const id = await newFinding(db, technician.personId);
      const fields = { intent: 'decide', outcome: 'watch', words: 'typed with care' };
      return { address: `/patterns/${id}`, fields, stale: () => decide(db, id) };
    },
    done: /^303 \/patterns\/[0-9a-f-]{36} finding-decided /,
    refused: { fields: { outcome: '' }, says: /^400 .*Choose what comes of it\..*typed with care/ },
    stale: /^409 .*changed-meanwhile\./,
    gone: { not: 'a finding is never removed' },
    storage: NO_FILES,
    twice: true,
  },
  {
    route: 'patterns/routes/my-finding.tsx',
    inBrowser: { button: 'Send the answer', failure: FAILURES.finding },
    async open(registry, admin) {
      const { db } = registry;
      const technician = await newPerson(db, 'technician');
      const id = await newFinding(db, technician.personId, { state: 'asked', by: await actorOf(db, admin) });
      return {
        address: `/my-patterns/${id}`,
        fields: { words: 'typed with care' },
        cookie: await signIn(registry, technician),
        stale: () => decide(db, id),
      };
    },
    done: /^303 \/my-patterns\/[0-9a-f-]{36} answer-sent /,
    refused: { fields: { words: '' }, says: /^400 .*Write your answer\./ },
    stale: /^409 .*changed-meanwhile\./,
    gone: { not: 'a finding is never removed' },
    storage: NO_FILES,
    twice: true,
  },
];

const decide = (db: Db, id: string) =>
  db.updateTable('patternFinding').set({ state: 'decided', outcome: 'explained' }).where('id', '=', id).execute();

async function actorOf(db: Db, { personId }: Person): Promise<number> {
  const { id } = await db
    .selectFrom('actor')
    .select('id')
    .where('personId', '=', personId)
    .limit(1)
    .executeTakeFirstOrThrow();
  return id;
}
