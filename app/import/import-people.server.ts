// Admins, technicians and applications of the export, all in one transaction: there are few. Accounts come over without
// passwords: the person asks for a reset mail.
import { appendActivities, type ActivityEntry } from '#app/activity-log/append-activity.server.ts';
import { findOrAddActor } from '#app/activity-log/actor.server.ts';
import type { Tx } from '#app/platform/database/database.server.ts';
import { appendLeaves } from '#app/transparency-log/append-leaves.server.ts';
import type { LeafEvent } from '#app/transparency-log/draft-leaf.server.ts';
import { adminEvent, technicianEvent } from '#app/transparency-log/events.server.ts';
import type { ActivityChange } from '#database/tables.ts';
import type { ImportJob } from './import-job.server.ts';
import { completePortraits, takePortrait, type Portrait } from './import-portraits.server.ts';
import { hashOf } from './record-hash.ts';
import { knownRecords, noteRecords, type KnownRecord, type NotedRecord } from './import-record.server.ts';
import { parseAdmin, parseApplicant, type ParsedAdmin, type ParsedApplicant } from './parse-person.ts';
import { CLEANED } from './record-reader.ts';

export type PeopleCollection = 'Admins' | 'Technicians' | 'Applications';
const SUBJECTS = { Admins: 'admin', Technicians: 'technician', Applications: 'application' } as const;
export type RawPerson = { collection: PeopleCollection; key: string; value: unknown; cleaned: boolean };
type Fields = Record<string, string | null>;
type Written =
  | { outcome: 'added' | 'changed'; id: string; personId?: string; version: number; changes: ActivityChange[] }
  | { outcome: 'kept'; why: string };
type Work = {
  collection: PeopleCollection;
  path: string;
  hash: string;
  parsed: ParsedAdmin | ParsedApplicant;
  known: KnownRecord | undefined;
  portrait: Portrait | undefined;
};

export async function importPeople(job: ImportJob, people: readonly RawPerson[]): Promise<void> {
  const { report } = job;
  const known = await knownRecords(
    job.db,
    people.map(({ collection, key }) => `${collection}/${key}`),
  );
  const work: Work[] = [];
  const unchangedAdmins: string[] = [];
  for (const { collection, key, value, cleaned } of people) {
    const path = `${collection}/${key}`;
    const hash = hashOf(value);
    const before = known.get(path);
    if (before?.hash === hash) {
      report.count(collection, 'unchanged');
      if (collection === 'Admins') unchangedAdmins.push(before.targetId);
      continue;
    }
    const parsed =
      collection === 'Admins' ? parseAdmin(key, value, job.timeZone) : parseApplicant(key, value, job.timeZone);
    if ('refused' in parsed) {
      report.refuse(collection, path, parsed.refused);
      continue;
    }
    const clash = job.collisions.people.get(`${collection} ${parsed.email}`);
    if (clash !== undefined) {
      const why = `several keys of the export mean the address ${parsed.email}: ${clash.join(', ')}. None is taken`;
      report.refuse(collection, path, { text: why, sort: 'several keys of the export mean one address' });
      continue;
    }
    if (cleaned) parsed.notes.unshift(CLEANED);
    const url = collection === 'Admins' && 'imageUrl' in parsed.fields ? parsed.fields.imageUrl : '';
    const portrait = url === '' ? undefined : await takePortrait(job, key, url);
    work.push({ collection, path, hash, parsed, known: before, portrait });
  }
  await completePortraits(job, unchangedAdmins);
  if (work.length > 0) await job.transaction((tx) => writePeople(tx, job, work));
}

async function writePeople(tx: Tx, job: ImportJob, work: readonly Work[]): Promise<void> {
  const { report } = job;
  const entries: ActivityEntry[] = [];
  const events: LeafEvent[] = [];
  const noted: NotedRecord[] = [];
  for (const one of work) {
    const { collection, path, hash, parsed } = one;
    const written = await write(tx, job, one);
    report.count(collection, written.outcome);
    if (written.outcome === 'kept') {
      report.line(path, 'kept', written.why);
      continue;
    }
    report.notes(collection, path, parsed.notes);
    if (written.outcome === 'changed')
      report.line(path, 'changed', {
        text: written.changes.map(({ field }) => field).join(', ') || 'dates',
        sort: 'the person is not as in the import before',
      });
    noted.push({ key: path, hash, targetId: written.id, targetVersion: written.version, unplaced: parsed.unplaced });
    const subject = SUBJECTS[collection];
    const named = { id: written.id, name: parsed.name || parsed.email };
    if (subject === 'technician') events.push(technicianEvent('technician.approved', named, 'imported'));
    if (subject === 'admin') events.push(adminEvent('admin.added', named, 'imported'));
    entries.push({
      kind: `${subject}.${written.outcome === 'added' ? 'imported' : 'updated'}`,
      actorId: null,
      subject,
      subjectId: written.id,
      ...(written.personId === undefined ? {} : { persons: [written.personId] }),
      origin: 'imported',
      ...(written.changes.length > 0 ? { changes: written.changes } : {}),
    });
  }
  await noteRecords(tx, noted);
  if (events.length > 0) await appendLeaves(tx, events);
  if (entries.length > 0) await appendActivities(tx, entries);
}

async function write(tx: Tx, job: ImportJob, { collection, parsed, known, portrait }: Work): Promise<Written> {
  if (collection === 'Applications' && 'requestedAt' in parsed) return writeApplication(tx, parsed, known);
  const table = collection === 'Admins' ? 'admin' : 'technician';
  if (known !== undefined) return updatePerson(tx, table, { stated: parsed.fields, portrait, before: known });
  const present = await tx
    .selectFrom(table === 'admin' ? 'staff' : table)
    .select(['deletedAt'])
    .where('email', '=', parsed.email)
    .orderBy('deletedAt', (o) => o.desc().nullsFirst())
    .executeTakeFirst();
  if (present !== undefined)
    return kept(`this address was ${present.deletedAt === null ? 'admitted here' : 'removed here, and stays so'}`);
  const actorId = await findOrAddActor(tx, { name: parsed.name, email: parsed.email });
  const { personId } = await tx
    .selectFrom('actor')
    .select('personId')
    .where('id', '=', actorId)
    .executeTakeFirstOrThrow();
  await tx
    .insertInto('user')
    .values({ id: personId, name: parsed.name, email: parsed.email })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  const common = { personId, email: parsed.email, origin: 'imported' as const };
  if ('requestedAt' in parsed) {
    const { id } = await tx
      .insertInto('technician')
      .values({ ...common, ...parsed.fields, legacyUid: parsed.legacyUid, requestedAt: parsed.requestedAt })
      .returning('id')
      .executeTakeFirstOrThrow();
    return { id, personId, version: 1, changes: [], outcome: 'added' };
  }
  const { id } = await tx
    .insertInto('admin')
    .values({
      ...common,
      ...parsed.fields,
      ...portrait,
      addedAt: parsed.addedAt,
      updatedAt: parsed.updatedAt,
      addedBy: await job.directory.actor(tx, parsed.addedBy),
      updatedBy: await job.directory.actor(tx, parsed.updatedBy),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, personId, version: 1, changes: [], outcome: 'added' };
}

async function updatePerson(
  tx: Tx,
  table: 'admin' | 'technician',
  { stated, portrait, before }: { stated: Fields; portrait: Portrait | undefined; before: KnownRecord },
): Promise<Written> {
  const current = await tx
    .selectFrom(table)
    .selectAll()
    .where('id', '=', before.targetId)
    .forUpdate()
    .executeTakeFirst();
  if (current === undefined || current.deletedAt !== null) return kept('it was removed here, and stays so');
  if (current.version !== before.targetVersion)
    return kept('it was edited here; the changed record of the export is not taken');
  // A run without the copy of the storage must not turn a stored picture back into a link.
  const pictured = 'imageId' in current && current.imageId !== null;
  const fields: Fields =
    portrait === undefined || (pictured && portrait.imageId === null)
      ? { ...stated, ...(pictured && portrait !== undefined ? { imageUrl: '' } : {}) }
      : { ...stated, ...portrait };
  if (pictured && portrait === undefined) fields['imageId'] = null;
  const version = before.targetVersion + 1;
  await tx
    .updateTable(table)
    .set({ ...fields, version })
    .where('id', '=', before.targetId)
    .execute();
  const { personId } = current;
  return { id: before.targetId, personId, version, changes: differences(current, fields), outcome: 'changed' };
}

async function writeApplication(
  tx: Tx,
  { email, fields, requestedAt }: ParsedApplicant,
  before: KnownRecord | undefined,
): Promise<Written> {
  if (before !== undefined) {
    const current = await tx
      .selectFrom('application')
      .selectAll()
      .where('id', '=', before.targetId)
      .forUpdate()
      .executeTakeFirst();
    if (current === undefined || current.decision !== null) return kept('it was decided here');
    await tx
      .updateTable('application')
      .set({ ...fields, requestedAt })
      .where('id', '=', before.targetId)
      .execute();
    return { id: before.targetId, version: 0, changes: differences(current, fields), outcome: 'changed' };
  }
  const present = await tx.selectFrom('application').select('decision').where('email', '=', email).executeTakeFirst();
  if (present !== undefined) return kept('this address applied here');
  const { id } = await tx
    .insertInto('application')
    .values({ email, ...fields, requestedAt, origin: 'imported' })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, version: 0, changes: [], outcome: 'added' };
}

const kept = (why: string): Written => ({ outcome: 'kept', why });

function differences(current: Readonly<Record<string, unknown>>, fields: Fields): ActivityChange[] {
  return Object.entries(fields).flatMap(([field, to]) => {
    const from = current[field];
    return from === to ? [] : [{ field, from: typeof from === 'string' ? from : null, to }];
  });
}
