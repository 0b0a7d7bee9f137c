// Saves the certificate and images of a vehicle's form. A replaced or removed file stays in the storage and in the
// history: only its link to the vehicle ends.
import type { Insertable } from 'kysely';
import { commitUpload } from '#app/files/temporary-upload.server.ts';
import type { Tx } from '#app/platform/database/database.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import type { ActivityChange, Tables } from '#database/tables.ts';
import type { LeafEvent } from '#app/transparency-log/draft-leaf.server.ts';
import { certificateEvent, type LoggedVehicle } from '#app/transparency-log/events.server.ts';
import { listVehicleFiles, type VehicleFile } from './queries.server.ts';

export const IMAGES_MAX = 20;

/**
 * The form's choice of files. `certificate` and `newImages` are ids of temporary uploads, '' for none. `removedImages`
 * are ids of links to end, and `order` maps the ids of the other links to their places.
 */
export type FileChoice = {
  certificate: string;
  removeCertificate: boolean;
  newImages: readonly string[];
  removedImages: readonly string[];
  order: ReadonlyMap<string, number>;
};
export type CommittedFiles = Omit<FileChoice, 'certificate' | 'newImages'> & {
  certificate: { fileId: string; name: string } | undefined;
  newImages: { fileId: string; name: string }[];
};

/** Commits the uploads, before the transaction that refers to them. Undefined: a temporary upload no longer exists. */
export async function commitFiles(
  services: Pick<Services, 'db' | 'files'>,
  personId: string,
  { rego, choice }: { rego: string; choice: FileChoice },
): Promise<CommittedFiles | undefined> {
  const certificate =
    choice.certificate === ''
      ? undefined
      : await commitUpload(services, personId, {
          role: 'certificate',
          id: choice.certificate,
          prefix: `certificates/${rego}`,
        });
  if (choice.certificate !== '' && certificate === undefined) return undefined;
  const newImages = [];
  for (const id of choice.newImages) {
    const image = await commitUpload(services, personId, { role: 'image', id, prefix: `vehicles/${rego}` });
    if (image === undefined) return undefined;
    newImages.push(image);
  }
  return { ...choice, certificate, newImages };
}

/** The part of the form's values that says which files it sent: an idempotency key belongs to one set of values. */
export const filesOfForm = ({ certificate, newImages, removeCertificate, removedImages, order }: CommittedFiles) => ({
  certificate: certificate?.fileId,
  images: newImages.map(({ fileId }) => fileId),
  removeCertificate,
  removedImages,
  order: [...order],
});

/**
 * Writes the links, in the transaction of the vehicle's write. Returns the changes and the certificate's events for the
 * log, or 'too-many' if the vehicle would have more than `IMAGES_MAX` images.
 */
export async function applyFiles(
  tx: Tx,
  vehicle: LoggedVehicle,
  { actorId, files }: { actorId: number; files: CommittedFiles },
): Promise<{ changes: ActivityChange[]; events: LeafEvent[] } | 'too-many'> {
  const { id: vehicleId } = vehicle;
  const present = await listVehicleFiles(tx, vehicleId);
  const certificate = present.find(({ role }) => role === 'certificate');
  const images = present.filter(({ role }) => role === 'image');
  const stay = images.filter(({ id }) => !files.removedImages.includes(id));
  const added = files.newImages.filter(({ fileId }) => !stay.some((image) => image.fileId === fileId));
  if (stay.length + added.length > IMAGES_MAX) return 'too-many';
  const changes: ActivityChange[] = [];
  const events: LeafEvent[] = [];

  const replaced = files.certificate !== undefined && files.certificate.fileId !== certificate?.fileId;
  if (certificate !== undefined && (replaced || files.removeCertificate)) {
    await endLinks(tx, [certificate.id], actorId);
    events.push(
      certificateEvent(vehicle, { id: certificate.id, content: await contentOf(tx, certificate), removed: true }),
    );
  }
  if (replaced && files.certificate !== undefined) {
    const { fileId, name: uploadedName } = files.certificate;
    const link = { vehicleId, role: 'certificate', position: 0, fileId, uploadedName, addedBy: actorId } as const;
    const id = await addLink(tx, link);
    events.push(
      certificateEvent(vehicle, { id, content: await contentOf(tx, { fileId, externalUrl: '' }), removed: false }),
    );
  }
  if (replaced || (files.removeCertificate && certificate !== undefined))
    changes.push({
      field: 'certificate',
      from: certificate === undefined ? null : nameOf(certificate),
      to: replaced ? (files.certificate?.name ?? null) : null,
    });

  const removed = images.filter(({ id }) => files.removedImages.includes(id));
  if (removed.length > 0)
    await endLinks(
      tx,
      removed.map(({ id }) => id),
      actorId,
    );
  const ordered = stay.toSorted(
    (a, b) =>
      (files.order.get(a.id) ?? Infinity) - (files.order.get(b.id) ?? Infinity) || stay.indexOf(a) - stay.indexOf(b),
  );
  for (const [position, { id }] of ordered.entries())
    await tx.updateTable('vehicleFile').set({ position }).where('id', '=', id).execute();
  for (const [index, { fileId, name: uploadedName }] of added.entries()) {
    const position = ordered.length + index;
    await addLink(tx, { vehicleId, role: 'image', position, fileId, uploadedName, addedBy: actorId });
  }
  const before = images.map(nameOf).join(', ');
  const after = [...ordered.map(nameOf), ...added.map(({ name }) => name)].join(', ');
  if (removed.length > 0 || added.length > 0 || before !== after)
    changes.push({ field: 'images', from: before || null, to: after || null });
  return { changes, events };
}

const nameOf = ({ uploadedName, externalUrl, fileId }: VehicleFile) =>
  uploadedName || externalUrl || (fileId ?? '').slice(0, 8);

async function addLink(tx: Tx, link: Insertable<Tables['vehicleFile']>): Promise<string> {
  const { id } = await tx.insertInto('vehicleFile').values(link).returning('id').executeTakeFirstOrThrow();
  return id;
}

/** The content of a certificate in a leaf: the SHA-256 of its bytes, or its URL in the former storage. */
export async function contentOf(
  tx: Tx,
  { fileId, externalUrl }: Pick<VehicleFile, 'fileId' | 'externalUrl'>,
): Promise<string> {
  if (fileId === null) return externalUrl;
  const { sha256 } = await tx
    .selectFrom('storedFile')
    .select('sha256')
    .where('id', '=', fileId)
    .executeTakeFirstOrThrow();
  return sha256;
}

async function endLinks(tx: Tx, ids: readonly string[], actorId: number): Promise<void> {
  await tx
    .updateTable('vehicleFile')
    .set({ removedAt: new Date(), removedBy: actorId })
    .where('id', 'in', ids)
    .execute();
}
