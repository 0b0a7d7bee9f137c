// Admins, technicians and applications of the export, all in one transaction: there are few. Accounts come over without
// passwords: the person asks for a reset mail.
import { appendActivities, type ActivityEntry } from '#app/activity-log/append-activity.server.ts';
import { findOrAddActor } from '#app/activity-log/actor.server.ts';
import type { Tx } from '#app/platform/database.server.ts';
import type { ActivityChange } from '#database/tables.ts';
import type { ImportJob } from './import-job.server.ts';
import { takeLinkedFile } from './import-files.server.ts';
import { hashOf, knownRecords, noteRecords, type KnownRecord } from './import-record.server.ts';
import { parseAdmin, parseApplicant, type ParsedAdmin, type ParsedApplicant } from './parse-person.ts';
import { isObject, readEmail } from './record-reader.ts';

export type PeopleCollection = 'Admins' | 'Technicians' | 'Applications';
export type RawPerson = { collection: PeopleCollection; key: string; value: unknown };
type Fields = Record<string, string | null>;
type Portrait = { imageId?: string | null; imageUrl?: string };
type Written = {
  id: string;
  version: number;
  changes: ActivityChange[];
  outcome: 'added' | 'changed' | 'kept';
  why?: string;
};

/** Imports `people`. */
export async function importPeople(job: ImportJob, people: readonly RawPerson[]): Promise<void> {
  const { report } = job;
  const known = await knownRecords(
    job.db,
    people.map(({ collection, key }) => `${collection}/${key}`),
  );
  const portraits = await takePortraits(
    job,
    people.filter(({ collection, key, value }) => known.get(`${collection}/${key}`)?.hash !== hashOf(value)),
  );
  await job.transaction(async (tx) => {
    const entries: ActivityEntry[] = [];
    const noted: (KnownRecord & { key: string; unplaced: Record<string, unknown> })[] = [];
    for (const { collection, key, value } of people) {
      const path = `${collection}/${key}`;
      const hash = hashOf(value);
      const before = known.get(path);
      if (before?.hash === hash) {
        report.count(collection, 'unchanged');
        continue;
      }
      const parsed =
        collection === 'Admins' ? parseAdmin(key, value, job.timeZone) : parseApplicant(key, value, job.timeZone);
      const clash = 'refused' in parsed ? parsed.refused : clashOf(job, collection, parsed.email);
      if ('refused' in parsed || clash !== undefined) {
        report.count(collection, 'refused');
        report.line(path, 'refused', clash ?? 'it cannot be read');
        continue;
      }
      const written = await write(tx, job, collection, parsed, before, portraits.get(path) ?? {});
      report.count(collection, written.outcome);
      if (written.outcome === 'kept') {
        report.line(path, 'kept', written.why ?? '');
        continue;
      }
      report.notes(path, parsed.notes);
      if (written.outcome === 'changed')
        report.line(path, 'changed', written.changes.map(({ field }) => field).join(', '));
      noted.push({ key: path, hash, targetId: written.id, targetVersion: written.version, unplaced: parsed.unplaced });
      const subject = collection.slice(0, -1).toLowerCase();
      entries.push({
        kind: `${subject}.${written.outcome === 'added' ? 'imported' : 'updated'}`,
        actorId: null,
        subject,
        subjectId: written.id,
        topics: [collection.toLowerCase()],
        origin: 'imported',
        ...(written.changes.length > 0 ? { changes: written.changes } : {}),
      });
    }
    await noteRecords(tx, noted);
    if (entries.length > 0) await appendActivities(tx, entries);
  });
}

// The pictures of admins, stored before the transaction that refers to them.
async function takePortraits(job: ImportJob, people: readonly RawPerson[]): Promise<Map<string, Portrait>> {
  const portraits = new Map<string, Portrait>();
  for (const { collection, key, value } of people) {
    const url = collection === 'Admins' && isObject(value) ? value['imageUrl'] : undefined;
    const email = readEmail(key);
    if (typeof url !== 'string' || url === '' || email === undefined || job.dryRun) continue;
    const { fileId, externalUrl } = await takeLinkedFile(
      job.db,
      job.files,
      job.bucket,
      'image',
      `admins/${email.replaceAll('.', ',').replaceAll(/[^a-z0-9@,_+-]/g, '_')}`,
      url,
      `${collection}/${key}`,
      job.report,
    );
    portraits.set(`${collection}/${key}`, { imageId: fileId, imageUrl: externalUrl });
  }
  return portraits;
}

function clashOf({ collisions }: ImportJob, collection: PeopleCollection, email: string): string | undefined {
  const keys = collisions.people.get(`${collection} ${email}`);
  return keys === undefined
    ? undefined
    : `several keys of the export mean the address ${email}: ${keys.join(', ')}. None is taken`;
}

async function write(
  tx: Tx,
  job: ImportJob,
  collection: PeopleCollection,
  parsed: ParsedAdmin | ParsedApplicant,
  before: KnownRecord | undefined,
  portrait: Portrait,
): Promise<Written> {
  if (collection === 'Applications')
    return 'requestedAt' in parsed ? writeApplication(tx, parsed, before) : missing(collection);
  const table = collection === 'Admins' ? 'admin' : 'technician';
  if (before !== undefined) return updatePerson(tx, table, { ...parsed.fields, ...portrait }, before);
  const present = await tx
    .selectFrom(table)
    .select(['deletedAt'])
    .where('email', '=', parsed.email)
    .orderBy('deletedAt', (o) => o.desc().nullsFirst())
    .executeTakeFirst();
  if (present !== undefined)
    return {
      id: '',
      version: 0,
      changes: [],
      outcome: 'kept',
      why:
        present.deletedAt === null ? 'this address was admitted here' : 'this address was removed here, and stays so',
    };
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
    return { id, version: 1, changes: [], outcome: 'added' };
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
  return { id, version: 1, changes: [], outcome: 'added' };
}

async function updatePerson(
  tx: Tx,
  table: 'admin' | 'technician',
  fields: Fields,
  before: KnownRecord,
): Promise<Written> {
  const current = await tx
    .selectFrom(table)
    .selectAll()
    .where('id', '=', before.targetId)
    .forUpdate()
    .executeTakeFirst();
  const stays =
    current === undefined || current.deletedAt !== null
      ? 'it was removed here, and stays so'
      : current.version !== before.targetVersion
        ? 'it was edited here; the changed record of the export is not taken'
        : undefined;
  if (current === undefined || stays !== undefined)
    return { id: before.targetId, version: before.targetVersion, changes: [], outcome: 'kept', why: stays ?? '' };
  const version = before.targetVersion + 1;
  await tx
    .updateTable(table)
    .set({ ...fields, version })
    .where('id', '=', before.targetId)
    .execute();
  return { id: before.targetId, version, changes: differences(current, fields), outcome: 'changed' };
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
    if (current === undefined || current.decision !== null)
      return { id: before.targetId, version: 0, changes: [], outcome: 'kept', why: 'it was decided here' };
    await tx
      .updateTable('application')
      .set({ ...fields, requestedAt })
      .where('id', '=', before.targetId)
      .execute();
    return { id: before.targetId, version: 0, changes: differences(current, fields), outcome: 'changed' };
  }
  const present = await tx.selectFrom('application').select('decision').where('email', '=', email).executeTakeFirst();
  if (present !== undefined)
    return { id: '', version: 0, changes: [], outcome: 'kept', why: 'this address applied here' };
  const { id } = await tx
    .insertInto('application')
    .values({ email, ...fields, requestedAt, origin: 'imported' })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, version: 0, changes: [], outcome: 'added' };
}

function differences(current: Readonly<Record<string, unknown>>, fields: Fields): ActivityChange[] {
  return Object.entries(fields).flatMap(([field, to]) => {
    const from = current[field];
    return from === to ? [] : [{ field, from: typeof from === 'string' ? from : null, to }];
  });
}

function missing(collection: string): never {
  throw new Error(`a record of ${collection} was parsed as another kind`);
}
