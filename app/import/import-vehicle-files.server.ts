// Certificates and images of imported vehicles.
import { appendActivities, type ActivityEntry } from '#app/activity-log/append-activity.server.ts';
import type { Db, Tx } from '#app/platform/database.server.ts';
import type { ActivityChange } from '#database/tables.ts';
import { takeLinkedFile, type ExportLink, type LinkedFile } from './import-files.server.ts';
import type { ImportJob } from './import-job.server.ts';
import type { ParsedVehicle } from './parse-vehicle.ts';

type Role = 'certificate' | 'image';
type Links = Record<Role, LinkedFile[]>;
/** Refers to the files of the vehicle under `key`; what changed by it. */
export type AttachFiles = (tx: Tx, key: string, vehicleId: string) => Promise<ActivityChange[]>;

/** Takes the named files in BEFORE the transaction that refers to them; what it returns refers to them. */
export async function linkFiles(
  job: ImportJob,
  vehicles: readonly { key: string; vehicle: ParsedVehicle }[],
): Promise<AttachFiles> {
  const links = new Map<string, Links>();
  for (const { key, vehicle } of vehicles) {
    const wanted: Links = { certificate: [], image: [] };
    for (const url of vehicle.imageUrls)
      wanted.image.push(await takeLinkedFile(job, linkOf(key, vehicle.rego, 'image', url)));
    if (vehicle.certificateUrl !== '')
      wanted.certificate.push(
        await takeLinkedFile(job, linkOf(key, vehicle.rego, 'certificate', vehicle.certificateUrl)),
      );
    links.set(key, wanted);
  }
  return async (tx, key, vehicleId) => {
    const wanted = links.get(key);
    if (wanted === undefined) return [];
    return [
      ...(await attachRole(tx, vehicleId, 'certificate', wanted.certificate)),
      ...(await attachRole(tx, vehicleId, 'image', wanted.image)),
    ];
  };
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
    const file = await takeLinkedFile(job, linkOf(`Vehicles/${link.rego}`, link.rego, link.role, link.externalUrl));
    if (file.fileId !== null) taken.push({ ...link, ...file, url: link.externalUrl });
  }
  if (taken.length === 0) return;
  await job.transaction(async (tx) => {
    const entries = new Map<string, ActivityEntry & { changes: ActivityChange[] }>();
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
        actorId: null,
        subject: 'vehicle',
        subjectId: vehicleId,
        topics: ['vehicles', `vehicle:${rego}`],
        origin: 'imported',
        details: `files of ${rego} taken in`,
        changes: [],
      };
      entry.changes.push({ field: role, from: url, to: uploadedName });
      entries.set(vehicleId, entry);
    }
    if (entries.size > 0) await appendActivities(tx, [...entries.values()]);
  });
}

async function attachRole(
  tx: Tx,
  vehicleId: string,
  role: Role,
  linked: readonly LinkedFile[],
): Promise<ActivityChange[]> {
  const present = await currentLinks(tx, vehicleId, role);
  // A run without the copy of the storage must not turn a file that is here back into a link to the same.
  const wanted = linked.map((link) =>
    link.fileId === null && link.uploadedName !== ''
      ? (present.find((file) => file.fileId !== null && file.uploadedName === link.uploadedName) ?? link)
      : link,
  );
  const same =
    present.length === wanted.length &&
    present.every(
      (link, index) => link.fileId === wanted[index]?.fileId && link.externalUrl === wanted[index]?.externalUrl,
    );
  if (same) return [];
  if (present.length > 0)
    await tx
      .updateTable('vehicleFile')
      .set({ removedAt: new Date() })
      .where('vehicleId', '=', vehicleId)
      .where('role', '=', role)
      .where('removedAt', 'is', null)
      .execute();
  if (wanted.length > 0)
    await tx
      .insertInto('vehicleFile')
      .values(
        wanted.map(({ fileId, externalUrl, uploadedName }, position) => ({
          vehicleId,
          role,
          fileId,
          externalUrl,
          uploadedName,
          position,
        })),
      )
      .execute();
  return [{ field: role, from: namesOf(present), to: namesOf(wanted) }];
}

function namesOf(links: readonly LinkedFile[]): string {
  return links.map(({ uploadedName, externalUrl }) => uploadedName || externalUrl).join(', ');
}

function currentLinks(db: Db, vehicleId: string, role: Role): Promise<LinkedFile[]> {
  return db
    .selectFrom('vehicleFile')
    .select(['fileId', 'externalUrl', 'uploadedName'])
    .where('vehicleId', '=', vehicleId)
    .where('role', '=', role)
    .where('removedAt', 'is', null)
    .orderBy('position')
    .execute();
}

function linkOf(key: string, rego: string, role: Role, url: string): ExportLink {
  return { key, role, prefix: `${role === 'certificate' ? 'certificates' : 'vehicles'}/${rego}`, url };
}
