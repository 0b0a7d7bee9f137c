// The tables of signing in, mail and forms (database/migrations/0003 and 0004), as Kysely sees them.
import type { ColumnType, Generated } from 'kysely';

type Instant = ColumnType<Date, Date | string, Date | string>;
type OptionalInstant = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
type OptionalText = ColumnType<string | null, string | null | undefined, string | null>;
type Text = Generated<string>;

export interface UserTable {
  id: string;
  name: string;
  email: string;
  emailVerified: Generated<boolean>;
  image: OptionalText;
  twoFactorEnabled: Generated<boolean>;
  mustChangePassword: Generated<boolean>;
  createdAt: Generated<Date>;
  updatedAt: Generated<Date>;
}
export interface SessionTable {
  id: Generated<string>;
  userId: string;
  token: string;
  expiresAt: Instant;
  ipAddress: OptionalText;
  userAgent: OptionalText;
  createdAt: Generated<Date>;
  updatedAt: Generated<Date>;
}
export interface AccountTable {
  id: Generated<string>;
  userId: string;
  accountId: string;
  providerId: string;
  password: OptionalText;
  createdAt: Generated<Date>;
  updatedAt: Generated<Date>;
}
export interface TwoFactorTable {
  id: Generated<string>;
  userId: string;
  secret: string;
  backupCodes: string;
  verified: Generated<boolean>;
}
export interface VerificationTable {
  id: Generated<string>;
  identifier: string;
  value: string;
  expiresAt: Instant;
}
export interface JwksTable {
  id: Generated<string>;
  publicKey: string;
  privateKey: string;
}
export interface ResetTokenTable {
  personId: string;
  tokenHash: string;
  expiresAt: Instant;
}
export interface SetupLinkTable {
  tokenHash: string;
  createdAt: Generated<Date>;
}
export interface MailTable {
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
export interface RateLimitTable {
  bucket: string;
  hits: Date[];
}
export interface FormSubmissionTable {
  key: string;
  personId: string;
  outcome: unknown;
  at: Generated<Date>;
}
export interface StagedUploadTable {
  id: Generated<string>;
  personId: string;
  fileId: string;
  uploadedName: Text;
  stagedAt: Generated<Date>;
}
