import { expect, test } from 'vitest';
import { ACTIVITY_KINDS } from './activity.ts';
import { isListTopic } from './topic.ts';
import { topicsOf } from './topics-of-write.ts';

test('every entry of the log reloads the page that lists them, whatever its kind', () => {
  for (const kind of ACTIVITY_KINDS.flatMap(({ kinds }) => kinds)) expect(topicsOf({ kind }), kind).toContain('logs');
});

test.each([
  [{ kind: 'policy.changed' as const, persons: ['p1'] }, ['policy', 'vehicles', 'public-log', 'person:p1', 'logs']],
  [{ kind: 'vehicle.updated' as const, rego: 'XV04KL' }, ['vehicles', 'public-log', 'vehicle:XV04KL', 'logs']],
  [{ kind: 'technician.approved' as const }, ['applications', 'technicians', 'recorders', 'public-log', 'logs']],
  [{ kind: 'profile.updated' as const, subject: 'technician' }, ['technicians', 'logs']],
  [{ kind: 'profile.updated' as const, subject: 'admin', persons: ['p1', 'p1'] }, ['admins', 'person:p1', 'logs']],
  [{ kind: 'person.erased' as const }, ['admins', 'technicians', 'recorders', 'public-log', 'vehicles', 'logs']],
  [{ kind: 'verification.added' as const, persons: ['p1'] }, ['references', 'public-log', 'person:p1', 'logs']],
  [{ kind: 'vehicle.followed' as const }, ['logs']],
])('%o: %o', (concerns, topics) => {
  expect(topicsOf(concerns)).toEqual(topics);
});

test('a name of no list is no topic', () => {
  expect(['logs', 'log', 'toString', 'vehicle:XV04KL'].map(isListTopic)).toEqual([true, false, false, false]);
});
