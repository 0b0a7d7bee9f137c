// The pictures of admins. They are stored before the transaction that refers to them.
import { portraitPrefix } from '#app/people/email.ts';
import { appendActivity } from '#app/activity-log/append-activity.server.ts';
import { addressOfKey } from './record-reader.ts';
import { takeLinkedFile } from './import-files.server.ts';
import type { ImportJob } from './import-job.server.ts';

/** What an admin's record refers to: a stored picture, else the link to it. */
export type Portrait = { imageId: string | null; imageUrl: string };

/** Takes in the picture at `url`, for the admin whose key in the export is `key`. */
export async function takePortrait(job: ImportJob, key: string, url: string): Promise<Portrait> {
  const { fileId, externalUrl } = await takeLinkedFile(job, {
    key: `Admins/${key}`,
    role: 'image',
    prefix: portraitPrefix(addressOfKey(key) ?? ''),
    url,
  });
  return { imageId: fileId, imageUrl: externalUrl };
}

/** Takes in pictures of the admins `ids` that were only links so far, where the copy of the storage has them now. */
export async function completePortraits(job: ImportJob, ids: readonly string[]): Promise<void> {
  if (job.bucket === undefined || ids.length === 0) return;
  const open = await job.db
    .selectFrom('admin')
    .select(['id', 'personId', 'email', 'imageUrl'])
    .where('id', 'in', ids)
    .where('imageId', 'is', null)
    .where('imageUrl', '<>', '')
    .where('deletedAt', 'is', null)
    .execute();
  for (const { id, personId, email, imageUrl } of open) {
    const portrait = await takePortrait(job, email, imageUrl);
    if (portrait.imageId === null) continue;
    await job.transaction(async (tx) => {
      await tx.updateTable('admin').set(portrait).where('id', '=', id).where('imageId', 'is', null).execute();
      await appendActivity(tx, {
        kind: 'admin.updated',
        actorId: null,
        subject: 'admin',
        subjectId: id,
        persons: [personId],
        origin: 'imported',
        details: 'picture taken in',
        changes: [{ field: 'image', from: imageUrl, to: 'stored' }],
      });
    });
  }
}
