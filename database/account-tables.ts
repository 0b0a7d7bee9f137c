// The tables of signing in, mail and forms (database/migrations/0003 and 0004), as Kysely sees them.
import type { ColumnType, Generated } from 'kysely';
import type { Instant, Optional, OptionalInstant, Text } from './columns.ts';

export interface AccountTables {
  user: {
    id: string;
    name: string;
    email: string;
    emailVerified: Generated<boolean>;
    image: Optional<string>;
    twoFactorEnabled: Generated<boolean>;
    mustChangePassword: Generated<boolean>;
    createdAt: Generated<Date>;
    updatedAt: Generated<Date>;
  };
  session: {
    id: Generated<string>;
    userId: string;
    token: string;
    expiresAt: Instant;
    ipAddress: Optional<string>;
    userAgent: Optional<string>;
    createdAt: Generated<Date>;
    updatedAt: Generated<Date>;
  };
  account: {
    id: Generated<string>;
    userId: string;
    accountId: string;
    providerId: string;
    password: Optional<string>;
    createdAt: Generated<Date>;
    updatedAt: Generated<Date>;
  };
  twoFactor: {
    id: Generated<string>;
    userId: string;
    secret: string;
    backupCodes: string;
    verified: Generated<boolean>;
  };
  verification: {
    id: Generated<string>;
    identifier: string;
    value: string;
    expiresAt: Instant;
  };
  jwks: {
    id: Generated<string>;
    publicKey: string;
    privateKey: string;
  };
  resetToken: {
    personId: string;
    tokenHash: string;
    expiresAt: Instant;
  };
  setupLink: {
    tokenHash: string;
    createdAt: Generated<Date>;
  };
  mail: {
    id: Generated<number>;
    kind: string;
    recipient: string;
    facts: ColumnType<Record<string, string>, string, string>;
    queuedAt: Generated<Date>;
    attempts: Generated<number>;
    nextTryAt: Generated<Date>;
    lastError: Text;
    givenUpAt: OptionalInstant;
  };
  rateLimit: {
    bucket: string;
    hits: Date[];
  };
  formSubmission: {
    key: string;
    personId: string;
    outcome: unknown;
    at: Generated<Date>;
  };
  stagedUpload: {
    id: Generated<string>;
    personId: string;
    fileId: string;
    uploadedName: Text;
    stagedAt: Generated<Date>;
  };
}
