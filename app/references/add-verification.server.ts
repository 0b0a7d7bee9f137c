// Records a verification period of a weighbridge. It is never edited: a wrong one is withdrawn, and recorded again.
import { actorOf, type SignedIn } from '#app/access/session.server.ts';
import { appendActivity } from '#app/activity-log/append-activity.server.ts';
import { commitUpload } from '#app/files/temporary-upload.server.ts';
import type { Tx } from '#app/platform/database/database.server.ts';
import { idempotent } from '#app/platform/database/idempotency-key.server.ts';
import { isUuid } from '#app/platform/process/uuid.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { appendLeaves } from '#app/transparency-log/append-leaves.server.ts';
import { verificationEvent } from '#app/transparency-log/reference-events.server.ts';
import { lockReference } from './queries.server.ts';
import { referenceLine } from './reference.ts';

/** Both days are covered. */
export type VerificationPeriod = { certificateNumber: string; fromOn: string; toOn: string };

export type AddVerificationAnswer =
  | { added: true }
  /** `exists`: the certificate is recorded from that day. */
  | { added: false; reason: 'unknown' | 'exists' | 'file-missing' };

/** `file`: the id of a temporary upload, or ''. */
export async function addVerification(
  services: Pick<Services, 'db' | 'files'>,
  who: SignedIn,
  {
    referenceId,
    period,
    file: uploadId,
    key,
  }: { referenceId: string; period: VerificationPeriod; file: string; key: unknown },
): Promise<AddVerificationAnswer> {
  if (!isUuid(referenceId)) return { added: false, reason: 'unknown' };
  const file =
    uploadId === ''
      ? undefined
      : await commitUpload(services, who.personId, {
          role: 'certificate',
          id: uploadId,
          prefix: `references/${referenceId}`,
        });
  if (uploadId !== '' && file === undefined) return { added: false, reason: 'file-missing' };
  const values = { referenceId, ...period, file: file?.fileId };
  const on = { kind: 'verification.added', key, values } as const;
  return idempotent<AddVerificationAnswer>(services.db, { who, ...on }, async (tx) => {
    const actorId = await actorOf(tx, who);
    const reference = await lockReference(tx, referenceId);
    if (reference === undefined) return { added: false, reason: 'unknown' };
    const id = await insertVerification(tx, actorId, { referenceId, period, file });
    if (id === undefined) return { added: false, reason: 'exists' };
    await appendLeaves(tx, [verificationEvent(reference, { id, ...period, withdrawn: false })]);
    await appendActivity(tx, {
      kind: 'verification.added',
      actorId,
      subject: 'reference',
      subjectId: referenceId,
      details: `${referenceLine(reference)}: ${period.certificateNumber}, ${period.fromOn} to ${period.toOn}`,
      persons: [who.personId],
    });
    return { added: true };
  });
}

/** Undefined: the certificate is recorded from that day. */
export async function insertVerification(
  tx: Tx,
  actorId: number,
  {
    referenceId,
    period,
    file,
  }: { referenceId: string; period: VerificationPeriod; file: { fileId: string; name: string } | undefined },
): Promise<string | undefined> {
  const added = await tx
    .insertInto('referenceVerification')
    .values({
      referenceId,
      ...period,
      addedBy: actorId,
      ...(file === undefined
        ? {}
        : { fileId: file.fileId, fileName: file.name, fileSha256: await sha256Of(tx, file.fileId) }),
    })
    .onConflict((conflict) =>
      conflict.columns(['referenceId', 'certificateNumber', 'fromOn']).where('removedAt', 'is', null).doNothing(),
    )
    .returning('id')
    .executeTakeFirst();
  return added?.id;
}

async function sha256Of(tx: Tx, fileId: string): Promise<string> {
  const { sha256 } = await tx
    .selectFrom('storedFile')
    .select('sha256')
    .where('id', '=', fileId)
    .executeTakeFirstOrThrow();
  return sha256;
}
