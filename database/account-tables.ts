// The tables of signing in, mail and forms (database/migrations/0003 and 0004), as Kysely sees them.
import type { ColumnType, Generated } from 'kysely';
import type { Instant, Optional, OptionalInstant, Text } from './column-types.ts';

interface UserTable {
  id: string;
  name: string;
  email: string;
  emailVerified: Generated<boolean>;
  image: Optional<string>;
  twoFactorEnabled: Generated<boolean>;
  mustChangePassword: Generated<boolean>;
  createdAt: Generated<Date>;
  updatedAt: Generated<Date>;
}
interface SessionTable {
  id: Generated<string>;
  userId: string;
  token: string;
  expiresAt: Instant;
  ipAddress: Optional<string>;
  userAgent: Optional<string>;
  createdAt: Generated<Date>;
  updatedAt: Generated<Date>;
}
interface AccountTable {
  id: Generated<string>;
  userId: string;
  accountId: string;
  providerId: string;
  password: Optional<string>;
  createdAt: Generated<Date>;
  updatedAt: Generated<Date>;
}
interface TwoFactorTable {
  id: Generated<string>;
  userId: string;
  secret: string;
  backupCodes: string;
  verified: Generated<boolean>;
}
interface VerificationTable {
  id: Generated<string>;
  identifier: string;
  value: string;
  expiresAt: Instant;
}
interface JwksTable {
  id: Generated<string>;
  publicKey: string;
  privateKey: string;
}
interface ResetTokenTable {
  personId: string;
  tokenHash: string;
  expiresAt: Instant;
}
interface SetupLinkTable {
  tokenHash: string;
  createdAt: Generated<Date>;
}
interface MailTable {
  id: Generated<number>;
  kind: string;
  recipient: string;
  facts: ColumnType<Record<string, string>, string, string>;
  queuedAt: Generated<Date>;
  attempts: Generated<number>;
  nextTryAt: Generated<Date>;
  lastError: Text;
  givenUpAt: OptionalInstant;
}
interface RateLimitTable {
  bucket: string;
  hits: Date[];
}
interface FormSubmissionTable {
  key: string;
  personId: string;
  outcome: unknown;
  at: Generated<Date>;
}
interface StagedUploadTable {
  id: Generated<string>;
  personId: string;
  fileId: string;
  uploadedName: Text;
  stagedAt: Generated<Date>;
}

export interface AccountTables {
  user: UserTable;
  session: SessionTable;
  account: AccountTable;
  twoFactor: TwoFactorTable;
  verification: VerificationTable;
  jwks: JwksTable;
  resetToken: ResetTokenTable;
  setupLink: SetupLinkTable;
  mail: MailTable;
  rateLimit: RateLimitTable;
  formSubmission: FormSubmissionTable;
  stagedUpload: StagedUploadTable;
}
