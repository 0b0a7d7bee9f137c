// What a history left: the records under each of its regos, its people, and all that the two logs have of it.
import { sql } from 'kysely';
import type { Db } from '#app/platform/database/database.server.ts';
import { listSuspensions } from '#app/technicians/queries.server.ts';
import type { Change, Entry, Outcome } from './operation.ts';
import type { PeopleState } from './people-model.ts';
import type { Stage } from './run-program.ts';
import type { VehicleState } from './vehicle-model.ts';

export type Sizes = { entries: number; leaves: number };
export type VehicleEnd = { state: Omit<VehicleState, 'kept'>; log: readonly Entry[] };
export type End = {
  vehicles: ReadonlyMap<string, VehicleEnd>;
  people: { state: Omit<PeopleState, 'kept'>; log: readonly Entry[] };
  /** What is wrong with the logs themselves, whatever they say. */
  faults: readonly string[];
};

/** How long the two logs are. */
export async function readSizes(db: Db): Promise<Sizes> {
  const { size, leafSize } = await db
    .selectFrom('activityState')
    .select(['size', 'leafSize'])
    .executeTakeFirstOrThrow();
  return { entries: size, leaves: leafSize };
}

/** Reads what the history on this stage left, which began when the logs had the sizes `since`. */
export async function readEnd(db: Db, { regos, applicants, cast }: Stage, since: Sizes): Promise<End> {
  const faults: string[] = [];
  const logged = await readLogs(db, since, faults);
  const vehicles = await db
    .selectFrom('vehicle')
    .selectAll()
    .where('rego', 'in', [...regos, ''])
    .execute();
  const regoOf = new Map(vehicles.map(({ id, rego }) => [id, rego]));
  const ends = new Map<string, VehicleEnd>();
  for (const rego of regos)
    ends.set(rego, {
      state: await readVehicle(
        db,
        vehicles.filter((one) => one.rego === rego),
      ),
      log: [],
    });
  const people: Entry[] = [];
  for (const { subject, subjectId, entry } of logged) {
    const rego =
      subject === 'vehicle' ? regoOf.get(subjectId) : subject === 'calibration' ? subjectId.split('/')[0] : undefined;
    const end = ends.get(rego ?? '');
    if (end !== undefined) ends.set(rego ?? '', { ...end, log: [...end.log, entry] });
    else if (subject === 'vehicle' || subject === 'calibration')
      faults.push(`An entry is about ${subject} ${subjectId}, which this history does not know.`);
    else people.push(entry);
  }
  const emails = [...applicants, ...cast.admins.keys()];
  return {
    vehicles: ends,
    people: { state: emails.length === 0 ? NOBODY : await readPeople(db, emails), log: people },
    faults,
  };
}

type Logged = { subject: string; subjectId: string; entry: Entry };

async function readLogs(db: Db, since: Sizes, faults: string[]): Promise<Logged[]> {
  const now = await readSizes(db);
  // Rows of one transaction have one xmin: so an entry's leaves are those that its own write appended. Readings of one
  // moment share a transaction, in which each has an entry and a leaf, in one order.
  const { rows: entries } = await sql<{
    index: number;
    tx: string;
    at: Date;
    kind: string;
    subject: string;
    subjectId: string;
    by: string | null;
    details: string | null;
    changes: Change[] | null;
  }>`select l.index, l.xmin::text as tx, l.at, l.kind, l.subject, l.subject_id, a.email as by, d.details, d.changes
    from activity_log l left join activity_detail d using (index) left join actor a on a.id = l.actor_id
    where l.index >= ${since.entries} order by l.index`.execute(db);
  const { rows: leaves } = await sql<{ index: number; tx: string; entry: string }>`
    select index, xmin::text as tx, entry from log_leaf where index >= ${since.leaves} order by index`.execute(db);
  const isGapFree = (rows: readonly { index: number }[], from: number, to: number) =>
    rows.length === to - from && rows.every(({ index }, nth) => index === from + nth);
  if (!isGapFree(entries, since.entries, now.entries)) faults.push('The activity log has a gap.');
  if (!isGapFree(leaves, since.leaves, now.leaves)) faults.push('The transparency log has a gap.');
  if (entries.some(({ at }, nth) => at < (entries[nth - 1]?.at ?? at)))
    faults.push('The activity log goes back in time.');
  const byTx = Map.groupBy(leaves, ({ tx }) => tx);
  const entriesOf = Map.groupBy(entries, ({ tx }) => tx);
  const leavesOf = (entry: (typeof entries)[number]) => {
    const [own = [], beside = []] = [byTx.get(entry.tx), entriesOf.get(entry.tx)];
    const isShared = beside.length > 1 && beside.length === own.length;
    return isShared && beside.every(({ kind }) => kind === 'calibration.recorded')
      ? own.slice(beside.indexOf(entry)).slice(0, 1)
      : own;
  };
  const inOrder = entries.flatMap(leavesOf);
  if (inOrder.length !== leaves.length) faults.push('The transparency log has leaves of no entry, or of two.');
  if (inOrder.some(({ index }, nth) => index < (inOrder[nth - 1]?.index ?? index)))
    faults.push('The two logs have their entries in different orders.');
  return entries.map((entry) => {
    const { kind, by, details, changes, subject, subjectId } = entry;
    const leaves = leavesOf(entry).map(({ entry: text }) => leafOf(text));
    return {
      subject,
      subjectId,
      entry: { kind, by: by ?? '', details: details ?? '', changes: changes ?? [], leaves },
    };
  });
}

function leafOf(text: string): Outcome {
  const leaf: { type: string; body: Record<string, string | number | boolean> } = JSON.parse(text);
  const { validated, calibration, axle, attribute, value, nextDueOn: dueOn = null } = leaf.body;
  const { type } = leaf;
  const from = leaf.body['suspendedFrom'] ?? leaf.body['reinstatedFrom'];
  if (from !== undefined) return { type, from };
  if (axle !== undefined && attribute !== undefined && value !== undefined && calibration !== undefined)
    return { type, calibration, axle, attribute, value, dueOn };
  return validated === undefined ? { type } : { type, validated, dueOn };
}

async function readVehicle(db: Db, rows: readonly VehicleRow[]): Promise<VehicleEnd['state']> {
  if (rows.length === 0) return { records: [], readings: [], decisions: [] };
  const ids = rows.map(({ id }) => id);
  const markOf = new Map(rows.map(({ id, make }) => [id, make]));
  const readings = await db
    .selectFrom('calibration')
    .leftJoin('actor', 'actor.id', 'calibration.technicianId')
    .selectAll('calibration')
    .select('actor.email')
    .where('vehicleId', 'in', ids)
    .orderBy('calibration.id')
    .execute();
  const decisions = await db
    .selectFrom('validation')
    .leftJoin('actor', 'actor.id', 'validation.decidedBy')
    .selectAll('validation')
    .select('actor.email')
    .where('vehicleId', 'in', ids)
    .orderBy('validation.id')
    .execute();
  return {
    records: rows.map((row) => ({
      mark: row.make,
      live: row.deletedAt === null,
      version: row.version,
      notes: row.notes,
      dueOn: row.nextCalibrationDueOn,
      validated: row.calibrationValidated,
    })),
    readings: readings.map(({ axle, attribute, value, dueOn, id, vehicleId, email, calibratedAt, correctsId }) => ({
      axle,
      attribute,
      value,
      dueOn,
      id,
      of: markOf.get(vehicleId) ?? '',
      by: email ?? '',
      measuredAt: calibratedAt.getTime(),
      corrects: correctsId,
    })),
    decisions: decisions.map(({ vehicleId, validated, nextDueOn, reason, email }) => ({
      of: markOf.get(vehicleId) ?? '',
      validated,
      dueOn: nextDueOn,
      reason,
      by: email ?? '',
    })),
  };
}

type VehicleRow = {
  id: string;
  make: string;
  deletedAt: Date | null;
  version: number;
  notes: string;
  nextCalibrationDueOn: string | null;
  calibrationValidated: boolean;
};

const NOBODY = { admins: [], applications: [], technicians: [] };

async function readPeople(db: Db, emails: readonly string[]): Promise<End['people']['state']> {
  const admins = await db
    .selectFrom('admin')
    .leftJoin('account', (join) =>
      join.onRef('account.userId', '=', 'admin.personId').on('account.providerId', '=', 'credential'),
    )
    .select(['notes', 'email', 'deletedAt', 'version', 'address', 'account.password'])
    .where('email', 'in', emails)
    .execute();
  const applications = await db
    .selectFrom('application')
    .leftJoin('actor', 'actor.id', 'application.decidedBy')
    .select(['tradeLicenceNum as mark', 'application.email', 'decision', 'actor.name as by'])
    .where('application.email', 'in', emails)
    .execute();
  const technicians = await db
    .selectFrom('technician')
    .leftJoin('actor', 'actor.id', 'technician.deletedBy')
    .select(['technician.id', 'tradeLicenceNum as mark', 'technician.email', 'actor.name as removedBy'])
    .where('technician.email', 'in', emails)
    .execute();
  return {
    admins: admins.map(({ notes, email, deletedAt, version, address, password }) => ({
      mark: notes,
      email,
      live: deletedAt === null,
      version,
      address,
      canSignIn: password !== null,
    })),
    applications,
    technicians: await Promise.all(
      technicians.map(async ({ id, ...one }) => ({ ...one, suspensions: await readSuspensions(db, id) })),
    ),
  };
}

async function readSuspensions(db: Db, technicianId: string) {
  const suspensions = await listSuspensions(db, technicianId);
  return suspensions.map(({ reason: mark, from, to, by, endedBy }) => ({ mark, from, to, by, endedBy }));
}
