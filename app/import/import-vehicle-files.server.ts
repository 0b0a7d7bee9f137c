// Certificates and images of imported vehicles.
import { appendActivities, type ActivityEntry } from '#app/activity-log/append-activity.server.ts';
import type { Db, Tx } from '#app/platform/database/database.server.ts';
import { appendLeaves } from '#app/transparency-log/append-leaves.server.ts';
import type { LeafEvent } from '#app/transparency-log/draft-leaf.server.ts';
import { certificateEvent } from '#app/transparency-log/events.server.ts';
import { contentOf } from '#app/vehicles/commit-files.server.ts';
import type { ActivityChange } from '#database/tables.ts';
import { takeLinkedFile, type ExportLink, type LinkedFile } from './import-files.server.ts';
import type { ImportJob } from './import-job.server.ts';
import type { ParsedVehicle } from './parse-vehicle.ts';
import { aboutVehicle } from './write-vehicle.server.ts';

const ROLES = ['certificate', 'image'] as const;
type Role = (typeof ROLES)[number];
// PostgreSQL takes 65,535 parameters a statement; a row has six.
const ROWS_A_STATEMENT = 5000;
type Links = Record<Role, LinkedFile[]>;
/** The files of vehicles, stored or as links, by the vehicle's key in the export. */
export type VehicleLinks = ReadonlyMap<string, Links>;

/** Stores the named files, BEFORE the transaction that refers to them. */
export async function linkFiles(
  job: ImportJob,
  vehicles: readonly { key: string; vehicle: ParsedVehicle }[],
): Promise<VehicleLinks> {
  const links = new Map<string, Links>();
  for (const { key, vehicle } of vehicles) {
    const wanted: Links = { certificate: [], image: [] };
    const take = async (role: Role, url: string) =>
      wanted[role].push(await takeLinkedFile(job, linkOf(key, vehicle.rego, { role, url })));
    for (const url of vehicle.imageUrls) await take('image', url);
    if (vehicle.certificateUrl !== '') await take('certificate', vehicle.certificateUrl);
    links.set(key, wanted);
  }
  return links;
}

/** Refers to `links`. Returns what changed by it, by vehicle. */
export async function attachFiles(
  tx: Tx,
  links: VehicleLinks,
  vehicles: readonly { key: string; vehicleId: string }[],
): Promise<Map<string, ActivityChange[]>> {
  const concerned = vehicles.filter(({ key }) => links.has(key));
  const present = await currentLinks(
    tx,
    concerned.map(({ vehicleId }) => vehicleId),
  );
  const changes = new Map<string, ActivityChange[]>();
  const removed: string[] = [];
  const added = [];
  for (const { key, vehicleId } of concerned)
    for (const role of ROLES) {
      const before = present.filter((link) => link.vehicleId === vehicleId && link.role === role);
      const after = keepStored(links.get(key)?.[role] ?? [], before);
      if (isSame(before, after)) continue;
      changes.set(vehicleId, [
        ...(changes.get(vehicleId) ?? []),
        { field: role, from: namesOf(before), to: namesOf(after) },
      ]);
      removed.push(...before.map(({ id }) => id));
      for (const [position, { fileId, externalUrl, uploadedName }] of after.entries())
        added.push({ vehicleId, role, fileId, externalUrl, uploadedName, position });
    }
  if (removed.length > 0)
    await tx.updateTable('vehicleFile').set({ removedAt: new Date() }).where('id', 'in', removed).execute();
  for (let start = 0; start < added.length; start += ROWS_A_STATEMENT)
    await tx
      .insertInto('vehicleFile')
      .values(added.slice(start, start + ROWS_A_STATEMENT))
      .execute();
  return changes;
}

/** Takes in files of `vehicleIds` that were only links so far, where the copy of the storage has them now. */
export async function completeFiles(job: ImportJob, vehicleIds: readonly string[]): Promise<void> {
  if (job.bucket === undefined || vehicleIds.length === 0) return;
  const open = await job.db
    .selectFrom('vehicleFile')
    .innerJoin('vehicle', 'vehicle.id', 'vehicleFile.vehicleId')
    .select(['vehicleFile.id', 'vehicleFile.vehicleId', 'vehicleFile.role', 'vehicleFile.externalUrl', 'vehicle.rego'])
    .where('vehicleId', 'in', vehicleIds)
    .where('fileId', 'is', null)
    .where('removedAt', 'is', null)
    .where('vehicle.deletedAt', 'is', null)
    .orderBy('vehicle.rego')
    .orderBy('role')
    .orderBy('position')
    .execute();
  const taken: ((typeof open)[number] & LinkedFile & { url: string })[] = [];
  for (const link of open) {
    const file = await takeLinkedFile(
      job,
      linkOf(`Vehicles/${link.rego}`, link.rego, { role: link.role, url: link.externalUrl }),
    );
    if (file.fileId !== null) taken.push({ ...link, ...file, url: link.externalUrl });
  }
  if (taken.length === 0) return;
  await job.transaction(async (tx) => {
    const entries = new Map<string, ActivityEntry & { changes: ActivityChange[] }>();
    const events: LeafEvent[] = [];
    for (const { id, vehicleId, rego, role, url, fileId, uploadedName } of taken) {
      const { numUpdatedRows } = await tx
        .updateTable('vehicleFile')
        .set({ fileId, uploadedName, externalUrl: '' })
        .where('id', '=', id)
        .where('fileId', 'is', null)
        .where('removedAt', 'is', null)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) continue;
      const entry = entries.get(vehicleId) ?? {
        kind: 'vehicle.updated',
        ...aboutVehicle(vehicleId, rego),
        details: `files of ${rego} taken in`,
        changes: [],
      };
      entry.changes.push({ field: role, from: url, to: uploadedName });
      if (role === 'certificate') {
        const content = await contentOf(tx, { fileId, externalUrl: '' });
        events.push(certificateEvent({ id: vehicleId, rego }, { id, content, removed: false }, 'imported'));
      }
      entries.set(vehicleId, entry);
    }
    if (events.length > 0) await appendLeaves(tx, events);
    if (entries.size > 0) await appendActivities(tx, [...entries.values()]);
  });
}

// A run without the copy of the storage must not turn a stored file back into a link to it.
function keepStored(linked: readonly LinkedFile[], present: readonly LinkedFile[]): LinkedFile[] {
  return linked.map((link) =>
    link.fileId === null && link.uploadedName !== ''
      ? (present.find((file) => file.fileId !== null && file.uploadedName === link.uploadedName) ?? link)
      : link,
  );
}

function isSame(before: readonly LinkedFile[], after: readonly LinkedFile[]): boolean {
  return (
    before.length === after.length &&
    before.every(
      (link, index) => link.fileId === after[index]?.fileId && link.externalUrl === after[index]?.externalUrl,
    )
  );
}

function namesOf(links: readonly LinkedFile[]): string {
  return links.map(({ uploadedName, externalUrl }) => uploadedName || externalUrl).join(', ');
}

async function currentLinks(db: Db, vehicleIds: readonly string[]) {
  if (vehicleIds.length === 0) return [];
  return db
    .selectFrom('vehicleFile')
    .select(['id', 'vehicleId', 'role', 'fileId', 'externalUrl', 'uploadedName'])
    .where('vehicleId', 'in', vehicleIds)
    .where('removedAt', 'is', null)
    .orderBy('position')
    .execute();
}

function linkOf(key: string, rego: string, { role, url }: { role: Role; url: string }): ExportLink {
  return { key, role, prefix: `${role === 'certificate' ? 'certificates' : 'vehicles'}/${rego}`, url };
}
