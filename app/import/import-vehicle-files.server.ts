// Certificates and images of imported vehicles.
import type { Db, Tx } from '#app/platform/database.server.ts';
import { takeLinkedFile, type LinkedFile } from './import-files.server.ts';
import type { ImportJob } from './import-job.server.ts';
import type { ParsedVehicle } from './parse-vehicle.ts';

type Links = { certificate: (LinkedFile & { url: string }) | null; images: (LinkedFile & { url: string })[] };

/** Takes the named files in BEFORE the transaction that refers to them; `attach` refers to them. */
export async function linkFiles(
  job: ImportJob,
  vehicles: readonly { key: string; vehicle: ParsedVehicle }[],
): Promise<{ attach: (tx: Tx, key: string, vehicleId: string) => Promise<void> }> {
  const links = new Map<string, Links>();
  for (const { key, vehicle } of vehicles) {
    if (vehicle.certificateUrl === '' && vehicle.imageUrls.length === 0) {
      links.set(key, { certificate: null, images: [] });
      continue;
    }
    const take = async (role: 'certificate' | 'image', url: string) => ({
      url,
      ...(job.dryRun
        ? { fileId: null, externalUrl: url, uploadedName: '' }
        : await takeLinkedFile(
            job.db,
            job.files,
            job.bucket,
            role,
            prefixOf(role, vehicle.rego),
            url,
            key,
            job.report,
          )),
    });
    const images = [];
    for (const url of vehicle.imageUrls) images.push(await take('image', url));
    links.set(key, {
      certificate: vehicle.certificateUrl === '' ? null : await take('certificate', vehicle.certificateUrl),
      images,
    });
  }
  return {
    async attach(tx, key, vehicleId) {
      const wanted = links.get(key);
      if (wanted === undefined) return;
      await attachRole(tx, vehicleId, 'certificate', wanted.certificate === null ? [] : [wanted.certificate]);
      await attachRole(tx, vehicleId, 'image', wanted.images);
    },
  };
}

/** Looks again for files of `vehicleIds` that were only links so far. */
export async function completeFiles(job: ImportJob, vehicleIds: readonly string[]): Promise<void> {
  if (job.bucket === undefined || job.dryRun || vehicleIds.length === 0) return;
  const open = await job.db
    .selectFrom('vehicleFile')
    .innerJoin('vehicle', 'vehicle.id', 'vehicleFile.vehicleId')
    .select(['vehicleFile.id', 'vehicleFile.role', 'vehicleFile.externalUrl', 'vehicle.rego'])
    .where('vehicleId', 'in', vehicleIds)
    .where('fileId', 'is', null)
    .where('removedAt', 'is', null)
    .execute();
  for (const { id, role, externalUrl, rego } of open) {
    const { fileId, uploadedName } = await takeLinkedFile(
      job.db,
      job.files,
      job.bucket,
      role,
      prefixOf(role, rego),
      externalUrl,
      `Vehicles/${rego}`,
      job.report,
    );
    if (fileId !== null)
      await job.db
        .updateTable('vehicleFile')
        .set({ fileId, uploadedName, externalUrl: '' })
        .where('id', '=', id)
        .where('fileId', 'is', null)
        .execute();
  }
}

async function attachRole(
  tx: Tx,
  vehicleId: string,
  role: 'certificate' | 'image',
  wanted: readonly LinkedFile[],
): Promise<void> {
  const present = await currentLinks(tx, vehicleId, role);
  const same =
    present.length === wanted.length &&
    present.every(
      (link, index) => link.fileId === wanted[index]?.fileId && link.externalUrl === wanted[index]?.externalUrl,
    );
  if (same) return;
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
}

function currentLinks(db: Db, vehicleId: string, role: 'certificate' | 'image') {
  return db
    .selectFrom('vehicleFile')
    .select(['fileId', 'externalUrl'])
    .where('vehicleId', '=', vehicleId)
    .where('role', '=', role)
    .where('removedAt', 'is', null)
    .orderBy('position')
    .execute();
}

function prefixOf(role: 'certificate' | 'image', rego: string): string {
  return `${role === 'certificate' ? 'certificates' : 'vehicles'}/${rego}`;
}
