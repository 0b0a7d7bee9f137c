// The forms about findings of patterns, for forms-table.ts.
import { FAILURES } from '#app/forms/failures.ts';
import { newFinding } from '#test/findings.ts';
import type { StartedRegistry } from '#test/start-registry.ts';
import { newPerson, type Person } from './people.ts';

type Scene = { registry: StartedRegistry; admin: Person };

export const PATTERN_FORMS = [
  {
    route: 'patterns/routes/finding.tsx',
    failure: FAILURES.finding,
    async open({ registry }: Scene) {
      const { personId } = await newPerson(registry, 'technician');
      return `/patterns/${await newFinding(registry.db, personId)}`;
    },
    typed: { Why: 'They are identical trucks.' },
    button: 'Decide',
  },
  {
    route: 'patterns/routes/my-finding.tsx',
    failure: FAILURES.finding,
    async open({ registry, admin }: Scene) {
      const actor = await registry.db
        .selectFrom('actor')
        .select('id')
        .where('personId', '=', admin.personId)
        .limit(1)
        .executeTakeFirstOrThrow();
      return `/my-patterns/${await newFinding(registry.db, admin.personId, { state: 'asked', by: actor.id })}`;
    },
    typed: { 'What explains it': 'The display steps by five.' },
    button: 'Send the answer',
  },
];
