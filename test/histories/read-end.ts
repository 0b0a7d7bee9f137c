// What a history left: the records under each of its regos, its people, and all that the two logs have of it.
import type { Db } from '#app/platform/database/database.server.ts';
import { listSuspensions } from '#app/technicians/queries.server.ts';
import type { Entry } from './operation.ts';
import type { PeopleState } from './people-model.ts';
import { readLogs, type Sizes } from './read-logs.ts';
import { readReference } from './read-reference.ts';
import type { ReferenceState } from './reference-model.ts';
import { readPolicy, type LeftOfPolicy } from './read-policy.ts';
import { readVehicle, type LeftOfVehicle } from './read-vehicle.ts';
import type { Stage } from './run-program.ts';

/** `expired`: the visits that closed by themselves, with nothing else. */
export type VehicleEnd = { state: LeftOfVehicle; log: readonly Entry[]; expired: readonly number[] };
export type End = {
  vehicles: ReadonlyMap<string, VehicleEnd>;
  policy: { state: LeftOfPolicy; log: readonly Entry[] };
  reference: { state: Omit<ReferenceState, 'kept'>; log: readonly Entry[] };
  people: { state: Omit<PeopleState, 'kept'>; log: readonly Entry[] };
  /** What is wrong with the logs themselves, whatever they say. */
  faults: readonly string[];
};

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
  const visits = new Map((await readVisitNames(db, [...regoOf.keys()])).map((visit) => [visit.id, visit]));
  const regoOfEntry = (subject: string, subjectId: string) => {
    if (subject === 'vehicle') return regoOf.get(subjectId);
    if (subject === 'calibration') return subjectId.split('/')[0];
    return subject === 'visit' ? regoOf.get(visits.get(subjectId)?.vehicleId ?? '') : undefined;
  };
  const ends = new Map<string, VehicleEnd>();
  for (const rego of regos)
    ends.set(rego, {
      state: await readVehicle(
        db,
        vehicles.filter((one) => one.rego === rego),
      ),
      log: [],
      expired: [],
    });
  const people: Entry[] = [];
  const policy: Entry[] = [];
  const reference: Entry[] = [];
  for (const { subject, subjectId, entry, visits: touched, isAlone } of logged) {
    const rego = regoOfEntry(subject, subjectId) ?? '';
    const end = ends.get(rego);
    if (end !== undefined) {
      const hasExpired = entry.kind === 'visit.closed' && entry.by === '' && isAlone;
      const expired = hasExpired ? [...end.expired, visits.get(subjectId)?.visit ?? 0] : end.expired;
      ends.set(rego, { ...end, log: [...end.log, entry], expired });
    } else if (OF_VEHICLES.includes(subject))
      faults.push(`An entry is about ${subject} ${subjectId}, which this history does not know.`);
    else if (subject === 'policy') policy.push(entry);
    else if (subject !== 'reference') people.push(entry);
    else if (!OF_WITHDRAWALS.includes(entry.kind)) reference.push(entry);
    else
      for (const rego of regos) {
        const part = partOf(entry, touched, (visit) => {
          const known = visits.get(visit);
          return regoOf.get(known?.vehicleId ?? '') === rego ? known?.visit : undefined;
        });
        const left = ends.get(rego);
        if (left !== undefined && part.leaves.length > 0) ends.set(rego, { ...left, log: [...left.log, part] });
      }
  }
  const emails = [...applicants, ...cast.admins.keys()];
  return {
    vehicles: ends,
    policy: { state: await readPolicy(db), log: policy },
    reference: { state: await readReference(db, cast.reference), log: reference },
    people: { state: emails.length === 0 ? NOBODY : await readPeople(db, emails), log: people },
    faults,
  };
}

export const OF_WITHDRAWALS = ['reference.withdrawn', 'reference.reinstated'];

// A block of a withdrawal reaches the visits of many trucks: what it says of those that have a name here, in their
// order.
function partOf(entry: Entry, touched: readonly string[], nameOf: (visit: string) => number | undefined): Entry {
  const leaves = entry.leaves
    .flatMap((leaf, nth) => {
      const visit = nameOf(touched[nth] ?? '');
      return visit === undefined ? [] : [{ visit, leaf: { ...leaf, visit } }];
    })
    .toSorted((a, b) => a.visit - b.visit)
    .map(({ leaf }) => leaf);
  return { ...entry, details: '', leaves };
}

const OF_VEHICLES = ['vehicle', 'calibration', 'visit'];

async function readVisitNames(db: Db, vehicleIds: readonly string[]) {
  const rows = await db
    .selectFrom('visit')
    .select(['id', 'vehicleId', 'openedAt'])
    .where('vehicleId', 'in', [...vehicleIds, NO_VEHICLE_ID])
    .execute();
  return rows.map(({ id, vehicleId, openedAt }) => ({ id, vehicleId, visit: openedAt.getTime() }));
}

const NO_VEHICLE_ID = '00000000-0000-0000-0000-000000000000';

const NOBODY = { admins: [], applications: [], technicians: [] };

async function readPeople(db: Db, emails: readonly string[]): Promise<End['people']['state']> {
  const admins = await db
    .selectFrom('admin')
    .leftJoin('account', (join) =>
      join.onRef('account.userId', '=', 'admin.personId').on('account.providerId', '=', 'credential'),
    )
    .leftJoin('adminRemoval as r', (join) => join.onRef('r.adminId', '=', 'admin.id').on('r.outcome', 'is', null))
    .leftJoin('actor as remover', 'remover.id', 'r.proposedBy')
    .select([
      'notes',
      'admin.email',
      'deletedAt',
      'version',
      'address',
      'account.password',
      'remover.email as removedBy',
    ])
    .where('admin.email', 'in', emails)
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
    admins: admins.map(({ notes, email, deletedAt, version, address, password, removedBy }) => ({
      mark: notes,
      email,
      live: deletedAt === null,
      version,
      address,
      canSignIn: password !== null,
      removedBy,
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
