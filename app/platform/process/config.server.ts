// Every setting, read from the environment once at start. A malformed one stops the start with a sentence that names
// it.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { z } from 'zod';

// Each message is the end of the sentence that begins with the setting's name.
const onOff = z.enum(['on', 'off'], 'must be on or off').transform((word) => word === 'on');
const like = (pattern: RegExp, must: string) => z.string().regex(pattern, must);
const withoutSpaces = like(/^\S+$/, 'must not contain spaces');
const atLeast = (length: number) => z.string().min(length, `must have at least ${length} characters`);
const databaseUrl = (example: string) => z.string().refine(isDatabaseUrl, `must be an address such as ${example}`);
const resolved = (file: string) => path.resolve(file);

const urlOf = (protocols: readonly string[], must: string) =>
  z
    .string()
    .refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), must)
    .transform((text) => new URL(text));
const WEB = ['http:', 'https:'];
const webAddress = urlOf(WEB, 'must be an address that begins with http:// or https://');

const ORIGIN = 'must be an origin such as https://registry.example, without a path';
const webOrigin = urlOf(WEB, ORIGIN).refine(
  ({ pathname, search, hash, username }) => pathname === '/' && search === '' && hash === '' && username === '',
  ORIGIN,
);

const securityContact = z.string().transform((text, context) => {
  if (/^[^\s@<>]+@[^\s@<>]+$/.test(text)) return `mailto:${text}`;
  if (!/[\r\n]/.test(text) && URL.canParse(text) && new URL(text).protocol === 'https:') return new URL(text).href;
  context.addIssue({ code: 'custom', message: 'must be an email address, or an address that begins with https://' });
  return z.NEVER;
});

const NAME = 'must have 1 to 80 characters';
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const settings = z.object({
  PORT: z
    .string()
    .refine((text) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535, 'must be a port number from 0 to 65535')
    .transform(Number)
    .default(3000),
  HOST: z.string().default('127.0.0.1'),
  PUBLIC_URL: webOrigin.optional(),
  DATA_DIR: z.string().default('./data').transform(resolved),
  DATABASE_URL: databaseUrl('postgres://user:password@host:5432/database').optional(),
  DATABASE_READ_URL: databaseUrl('postgres://user:password@replica:5432/database').optional(),
  S3_BUCKET: like(
    /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
    'must be a name of 3 to 63 lower-case letters, digits, dots and hyphens',
  ).optional(),
  S3_REGION: like(/^[a-z0-9-]+$/, 'must be a region such as ap-southeast-2').optional(),
  S3_ENDPOINT: webAddress.optional(),
  AWS_ACCESS_KEY_ID: withoutSpaces.optional(),
  AWS_SECRET_ACCESS_KEY: withoutSpaces.optional(),
  AWS_SESSION_TOKEN: withoutSpaces.optional(),
  SMTP_URL: urlOf(['smtp:', 'smtps:'], 'must be an address that begins with smtp:// or smtps://').optional(),
  MAIL_FROM: like(
    /^[^\r\n]*[^\s@<>]+@[^\s@<>]+>?$/,
    'must be an email address, or a name with one in angle brackets',
  ).optional(),
  SECURITY_CONTACT: securityContact.optional(),
  CONTACT_EMAIL: like(/^[^\s@<>]+@[^\s@<>]+$/, 'must be an email address').optional(),
  OPERATOR_NAME: z.string().trim().min(1, NAME).max(80, NAME).optional(),
  SOURCE_URL: webAddress.optional(),
  AUTH_TOKEN_SYNC_URL: webAddress.optional(),
  AUTH_SECRET: atLeast(32).optional(),
  LOG_KEY_FILE: z.string().transform(resolved).optional(),
  WITNESS_POLICY_FILE: z.string().transform(resolved).optional(),
  REQUIRE_ADMIN_2FA: onOff.default(false),
  REGISTRY_NAME: z.string().trim().min(1, NAME).max(80, NAME).default('Truck Scale Registry'),
  REGISTRY_TIME_ZONE: z
    .string()
    .default('Australia/Sydney')
    .refine(isTimeZone, 'must be a time zone such as Australia/Perth'),
  METRICS_TOKEN: atLeast(16).optional(),
  RATE_LIMITS: onOff.default(true),
  TRUST_PROXY: onOff.default(false),
  LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).default('info'),
});
type Settings = z.infer<typeof settings>;

// Parsed by the driver: it takes more than the URL standard does, such as a socket folder as the host.
function isDatabaseUrl(text: string): boolean {
  if (!/^postgres(ql)?:\/\/./.test(text)) return false;
  try {
    return new pg.Client({ connectionString: text }).port > 0;
  } catch {
    return false;
  }
}

function isTimeZone(zone: string): boolean {
  try {
    return Intl.DateTimeFormat('en-AU', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** Without `credentials` they are looked for where Amazon's tools do. */
type S3Address = {
  bucket: string;
  region: string;
  endpoint: URL | undefined;
  credentials: { accessKeyId: string; secretAccessKey: string; sessionToken?: string } | undefined;
};

/** The settings of one process. Those of mail, accounts, S3 and the log's key are read before anything uses them. */
export type Config = ReturnType<typeof configOf>;

/** Malformed settings: one sentence each. */
export class ConfigError extends Error {}

// What containers and systemd hand over as files: NAME_FILE names the file that holds NAME.
const SECRETS: ReadonlySet<string> = new Set([
  'AUTH_SECRET',
  'DATABASE_URL',
  'DATABASE_READ_URL',
  'METRICS_TOKEN',
  'SMTP_URL',
]);

/** The names of all settings, those of files that hold one included. */
export const SETTING_NAMES: readonly string[] = [
  ...Object.keys(settings.shape),
  ...[...SECRETS].map((name) => `${name}_FILE`),
];

/**
 * Reads the settings. Throws ConfigError naming every malformed one. An empty variable counts as unset. A secret may be
 * given as a file instead.
 */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const names = Object.keys(settings.shape);
  const given = Object.fromEntries(names.map((name) => [name, env[name] || readSecretFile(name, env)]));
  const { data, error } = settings.safeParse(given);
  const wrong =
    data === undefined
      ? error.issues.map(({ path: [name], message }) => `${String(name)} ${message}.`)
      : MISSING.filter(({ when }) => when(data)).map(({ sentence }) => sentence);
  if (data === undefined || wrong.length > 0) throw new ConfigError(wrong.join(' '));
  return configOf(data);
}

function configOf(data: Settings) {
  return {
    port: data.PORT,
    host: data.HOST,
    publicUrl: data.PUBLIC_URL,
    dataDir: data.DATA_DIR,
    databaseUrl: data.DATABASE_URL,
    /** Of a replica that public pages may be read from. */
    databaseReadUrl: data.DATABASE_READ_URL,
    s3: readS3(data),
    smtpUrl: data.SMTP_URL,
    mailFrom: data.MAIL_FROM,
    /** Where to report a security hole: a web or mail address. */
    securityContact: data.SECURITY_CONTACT,
    /** Shown to the public: whom to write to, who runs it, where the source is. */
    contactEmail: data.CONTACT_EMAIL,
    operatorName: data.OPERATOR_NAME,
    sourceUrl: data.SOURCE_URL,
    authTokenSyncUrl: data.AUTH_TOKEN_SYNC_URL,
    authSecret: data.AUTH_SECRET,
    logKeyFile: data.LOG_KEY_FILE,
    /** Whose cosignatures of the public log are asked for: a file of c2sp.org/tlog-policy. */
    witnessPolicyFile: data.WITNESS_POLICY_FILE,
    requireAdmin2fa: data.REQUIRE_ADMIN_2FA,
    registryName: data.REGISTRY_NAME,
    timeZone: data.REGISTRY_TIME_ZONE,
    metricsToken: data.METRICS_TOKEN,
    rateLimits: data.RATE_LIMITS,
    trustProxy: data.TRUST_PROXY,
    logLevel: data.LOG_LEVEL,
    /** Its records are invented: `npm run demo`, no setting. */
    isDemo: false,
  };
}

function readSecretFile(name: string, env: NodeJS.ProcessEnv): string | undefined {
  const file = SECRETS.has(name) ? env[`${name}_FILE`] : undefined;
  if (file === undefined || file === '') return undefined;
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    throw new ConfigError(`${name}_FILE names ${file}, which cannot be read.`);
  }
}

// Settings that are given without another that they need.
const MISSING: readonly { when: (data: Settings) => boolean; sentence: string }[] = [
  {
    when: ({ S3_BUCKET, S3_REGION, S3_ENDPOINT }) =>
      S3_BUCKET === undefined && (S3_REGION ?? S3_ENDPOINT) !== undefined,
    sentence: 'S3_REGION or S3_ENDPOINT is given without S3_BUCKET: files would be kept on this machine’s disk.',
  },
  {
    when: ({ S3_BUCKET, S3_REGION, S3_ENDPOINT }) =>
      S3_BUCKET !== undefined && (S3_REGION ?? S3_ENDPOINT) === undefined,
    sentence: 'S3_REGION must be given with S3_BUCKET, or S3_ENDPOINT where the storage is not Amazon’s.',
  },
  {
    when: (data) =>
      data.S3_BUCKET !== undefined &&
      (data.AWS_ACCESS_KEY_ID === undefined) !== (data.AWS_SECRET_ACCESS_KEY === undefined),
    sentence: 'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be given together.',
  },
  {
    when: (data) => isShared(data) && data.AUTH_SECRET === undefined,
    sentence: 'AUTH_SECRET must be given with S3_BUCKET and DATABASE_URL: each machine would make its own.',
  },
  {
    when: (data) => isShared(data) && data.LOG_KEY_FILE === undefined,
    sentence:
      'LOG_KEY_FILE must be given with S3_BUCKET and DATABASE_URL: each machine would make its own, and the public log would fork.',
  },
];

// Then there may be a second machine, of which nothing is known here.
const isShared = ({ S3_BUCKET, DATABASE_URL }: Settings) => S3_BUCKET !== undefined && DATABASE_URL !== undefined;

// Storages that are not Amazon's mostly have no regions; a signature names one all the same.
const ANY_REGION = 'us-east-1';

function readS3(data: Settings): S3Address | undefined {
  if (data.S3_BUCKET === undefined) return undefined;
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN: token } = data;
  return {
    bucket: data.S3_BUCKET,
    region: data.S3_REGION ?? ANY_REGION,
    endpoint: data.S3_ENDPOINT,
    credentials:
      accessKeyId === undefined || secretAccessKey === undefined
        ? undefined
        : { accessKeyId, secretAccessKey, ...(token === undefined ? {} : { sessionToken: token }) },
  };
}
