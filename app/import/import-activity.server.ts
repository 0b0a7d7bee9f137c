// The former activity log: each entry once, with the time it states.
import type { ActivityKind } from '#app/activity-log/activity.ts';
import { appendActivities, type ActivityEntry } from '#app/activity-log/append-activity.server.ts';
import type { Tx } from '#app/platform/database/database.server.ts';
import { instantOfDay } from '#app/platform/time/calendar.ts';
import type { ImportJob } from './import-job.server.ts';
import { hashOf } from './record-hash.ts';
import { knownRecords, noteRecords, type NotedRecord } from './import-record.server.ts';
import { shorten } from './clean-record.ts';
import { CLEANED, isObject, readDay, readInstant, RecordReader } from './record-reader.ts';

export type RawActivity = { key: string; value: unknown; cleaned: boolean };

const KINDS = new Map<string, ActivityKind>([
  ['Profile updated', 'profile.updated'],
  ['Admin updated', 'admin.updated'],
]);

/** Imports one block of entries. One that changed in the export since is reported: entries are never changed here. */
export async function importActivity(job: ImportJob, block: readonly RawActivity[]): Promise<void> {
  const { report, directory, timeZone } = job;
  const known = await knownRecords(
    job.db,
    block.map(({ key }) => `ActivityLogs/${key}`),
  );
  await job.transaction(async (tx) => {
    const entries: ActivityEntry[] = [];
    const noted: NotedRecord[] = [];
    const seen = new Set<string>();
    for (const { key, value, cleaned } of block) {
      const path = `ActivityLogs/${key}`;
      if (seen.has(key)) {
        report.refuse('ActivityLogs', path, 'the key occurs twice; the first is taken');
        continue;
      }
      seen.add(key);
      const hash = hashOf(value);
      const before = known.get(path);
      if (before !== undefined) {
        report.count('ActivityLogs', before.hash === hash ? 'unchanged' : 'kept');
        if (before.hash !== hash) report.line(path, 'kept', 'entries of a log are never changed');
        continue;
      }
      if (!isObject(value)) {
        report.refuse('ActivityLogs', path, 'the record is not an object');
        continue;
      }
      const reader = new RecordReader(value, timeZone);
      const action = reader.text('action', 'expected');
      const details = reader.text('details');
      const name = reader.text('name');
      const email = reader.text('email');
      const timestamp = reader.text('timestamp', 'expected');
      const { day } = readDay(timestamp, timeZone);
      const occurredAt = readInstant(timestamp) ?? (day === undefined ? undefined : instantOfDay(day, timeZone));
      if (occurredAt === undefined && timestamp !== '')
        reader.refuse('timestamp', timestamp, {
          text: `timestamp ${JSON.stringify(shorten(timestamp, 40))} is not a date`,
          sort: 'timestamp is not a date',
        });
      reader.finish();
      report.notes('ActivityLogs', path, cleaned ? [CLEANED, ...reader.notes] : reader.notes);
      report.count('ActivityLogs', 'added');
      noted.push({ key: path, hash, targetId: '', targetVersion: 0, unplaced: reader.unplaced });
      entries.push({
        kind: KINDS.get(action) ?? 'record.changed',
        actorId: await directory.actor(tx, email === '' ? name : email, name),
        action,
        details,
        origin: 'imported',
        ...(occurredAt === undefined ? {} : { occurredAt }),
      });
    }
    await noteRecords(tx, noted);
    if (entries.length > 0) await appendActivities(tx, await withPersons(tx, entries));
  });
}

// People whose own pages list what they did.
async function withPersons(tx: Tx, entries: readonly ActivityEntry[]): Promise<ActivityEntry[]> {
  const ids = entries.map(({ actorId }) => actorId).filter((id) => id !== null);
  const actors = await tx
    .selectFrom('actor')
    .select(['id', 'personId'])
    .where('id', 'in', [0, ...ids])
    .execute();
  const personOf = new Map(actors.map(({ id, personId }) => [id, personId]));
  return entries.map((entry) => {
    const personId = personOf.get(entry.actorId ?? 0);
    return personId === undefined ? entry : { ...entry, persons: [personId] };
  });
}
