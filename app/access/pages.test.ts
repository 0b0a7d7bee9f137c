import { expect, test } from 'vitest';
import { PAGES } from './pages.ts';
import { may, permissionsOf, ROLES, writes } from './permissions.ts';

const rows = Object.entries(PAGES);
const patternsWhere = (holds: (page: (typeof rows)[number][1]) => boolean) =>
  rows.filter(([, page]) => holds(page)).map(([pattern]) => pattern);

test('a form needs a permission that writes, but for the lists that are only answered', () => {
  const onlyRead = patternsWhere(({ POST }) => POST !== undefined && !writes(POST));
  expect(onlyRead).toEqual(['/check', '/check/:file']);
});

test('what a page also writes as it is read needs a permission that writes, and only finding a pattern has it', () => {
  const noting = patternsWhere(({ notes, GET }) => notes !== undefined && GET !== undefined && writes(notes.of));
  expect(noting).toEqual(patternsWhere(({ notes }) => notes !== undefined));
  expect(noting).toEqual(['/patterns/:id']);
});

test('nobody writes by a page that they cannot read', () => {
  for (const [pattern, { GET, POST }] of rows)
    for (const role of ROLES)
      if (GET !== undefined && POST !== undefined && may(role, POST))
        expect([pattern, role, may(role, GET)]).toContain(true);
});

test('a page says of each role what it may do', () => {
  expect(permissionsOf('public').filter(writes)).toEqual([
    'request registration',
    'follow vehicles',
    'report records',
    'sign in and out',
  ]);
  for (const role of ROLES) expect(permissionsOf(role).every((permission) => may(role, permission))).toBe(true);
});
