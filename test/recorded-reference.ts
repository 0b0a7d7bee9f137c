// Records a weighbridge, for tests of its stored form.
import type { SignedIn } from '#app/access/session.server.ts';
import { addTemporaryUpload } from '#app/files/temporary-upload.server.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import { openFileStore } from '#app/platform/storage/file-store.server.ts';
import { addReference } from '#app/references/add-reference.server.ts';
import { addRepair } from '#app/references/add-repair.server.ts';
import { addVerification } from '#app/references/add-verification.server.ts';
import { listVerifications } from '#app/references/queries.server.ts';
import { withdrawVerification } from '#app/references/withdraw-verification.server.ts';
import { proposeWithdrawal } from '#app/withdrawals/decide-withdrawal.server.ts';
import { referenceInput } from './references.ts';

const PDF = Buffer.from('%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n');
const PERIOD = { certificateNumber: 'VC-88213', fromOn: '2026-03-10', toOn: '2027-03-09' };

/** With a withdrawn period that has a certificate, and a repair. Every column of the three tables has a value. */
export async function recordReference(db: Db, folder: string): Promise<void> {
  const { personId, email } = await db.selectFrom('admin').select(['personId', 'email']).executeTakeFirstOrThrow();
  const files = await openFileStore({ directory: `${folder}/files` });
  const services = { db, files, config: { rateLimits: true } };
  const who: SignedIn = {
    personId,
    email,
    name: 'Mia',
    role: 'admin',
    sessionId: '',
    recordId: '',
    mustChangePassword: false,
    hasSecondFactor: false,
  };
  const { id } = await addReference(db, who, { input: referenceInput(), key: undefined });
  const upload = await addTemporaryUpload(services, personId, {
    role: 'certificate',
    upload: { name: 'v.pdf', bytes: PDF },
  });
  const file = upload.added ? upload.id : '';
  const added = await addVerification(services, who, { referenceId: id, period: PERIOD, file, key: undefined });
  if (!added.added) throw new Error(added.reason);
  const [period] = await listVerifications(db, id);
  const which = { referenceId: id, verificationId: period?.id ?? '' };
  await withdrawVerification(db, who, { which, reason: 'Of another weighbridge.', key: undefined });
  await addRepair(db, who, { referenceId: id, on: '2026-03-02', note: 'Load cell 3 replaced', key: undefined });
  const proposal = { fromOn: '2026-03-10', toOn: '2026-03-12', reason: 'out of tolerance', note: 'Asked.' } as const;
  const now = () => new Date('2026-11-21T01:00:00Z');
  await proposeWithdrawal({ db, now }, who, { referenceId: id, ...proposal, key: undefined });
}
