// People, companies and weighbridges: thousands, so that reading all of them takes a few milliseconds.
import { sql } from 'kysely';
import { href } from 'react-router';
import { emailSegment } from '#app/people/email-key.ts';
import { holdsPersonText } from '#app/people/people-search.server.ts';
import { foldedName, holdsName } from '#app/platform/database/name-search.server.ts';
import { foldName } from '#app/platform/process/typed-text.ts';
import { formatDay } from '#app/platform/time/calendar.ts';
import { findReferences } from '#app/references/queries.server.ts';
import { counted } from '#app/ui/counted.ts';
import { listAddress } from '#app/ui/list-address.ts';
import { joined, ROWS_MAX, type Asked, type Found } from './source.server.ts';

type Person = { email: string; name: string; kind: 'technicians' | 'admins'; detail: string };

export async function findPeople({ services: { db }, text }: Asked): Promise<Found> {
  const { rows } = await sql<Person>`select * from (
      select email, rep_name as name, 'technicians' as kind,
        concat_ws(' · ', nullif(company_name, ''), case when suspended_from is not null then 'suspended' end) as detail
      from technician where deleted_at is null and ${holdsPersonText(text, [sql`rep_name`, sql`company_name`])}
      union all select email, name, 'admins', role from staff
      where deleted_at is null and ${holdsPersonText(text, [sql`name`])}) p
    order by (${foldedName(sql`name`)} = ${foldName(text)} or email = lower(${text})) desc, lower(name), email
    limit ${ROWS_MAX}`.execute(db);
  return {
    rows: rows.map(({ email, name, kind, detail }) => ({
      href: `/${kind}/view/${emailSegment(email)}`,
      title: name || email,
      detail: joined(detail, name === '' ? '' : email),
      isExact: foldName(name) === foldName(text) || email === text.toLowerCase(),
    })),
    all: listAddress('/technicians', { text, page: 1 }),
  };
}

export async function findCompanies({ services: { db }, text }: Asked): Promise<Found> {
  const digits = text.replaceAll(/\s/g, '');
  const { rows } = await sql<{ name: string; abn: string; people: number; isExact: boolean }>`
    select company_name as name, max(abn) as abn, count(*) as people,
      ${foldedName(sql`company_name`)} = ${foldName(text)} or max(replace(abn, ' ', '')) = ${digits} as is_exact
    from technician where deleted_at is null and company_name <> ''
      and (${holdsName(sql`company_name`, text)} or replace(abn, ' ', '') = ${digits})
    group by company_name order by is_exact desc, lower(company_name) limit ${ROWS_MAX}`.execute(db);
  const all = (name: string) => listAddress('/technicians', { text: name, page: 1 });
  return {
    rows: rows.map(({ name, abn, people, isExact }) => ({
      href: all(name),
      title: name,
      detail: joined(abn === '' ? '' : `ABN ${abn}`, counted(people, 'technician', 'technicians')),
      isExact,
    })),
    all: all(text),
  };
}

export async function findWeighbridges({ services: { db }, text }: Asked): Promise<Found> {
  const found = await findReferences(db, text, ROWS_MAX);
  return {
    rows: found.map(({ id, name, place, state, verifiedTo }) => ({
      href: href('/references/:id', { id }),
      title: name,
      detail: joined(`${place} ${state}`, verifiedTo === null ? '' : `verified to ${formatDay(verifiedTo)}`),
      isExact: foldName(name) === foldName(text),
    })),
    all: listAddress('/references', { text, page: 1 }),
  };
}
