// Every setting, read from the environment once at start. A malformed one stops the start with a sentence that names it.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { z } from 'zod';

const port = z
  .string()
  .regex(/^\d{1,5}$/)
  .transform(Number)
  .refine((number) => number <= 65_535);
const onOff = z.enum(['on', 'off']).transform((word) => word === 'on');

const webOrigin = z.string().transform((text, context) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (
    url !== undefined &&
    (url.protocol === 'http:' || url.protocol === 'https:') &&
    url.pathname === '/' &&
    url.search === '' &&
    url.hash === '' &&
    url.username === ''
  )
    return url;
  context.addIssue({ code: 'custom', message: 'must be an origin such as https://registry.example, without a path' });
  return z.NEVER;
});

const securityContact = z.string().transform((text, context) => {
  if (/^[^\s@<>]+@[^\s@<>]+$/.test(text)) return `mailto:${text}`;
  if (!/[\r\n]/.test(text) && URL.canParse(text) && new URL(text).protocol === 'https:') return new URL(text).href;
  context.addIssue({ code: 'custom', message: 'must be an email address, or an address that begins with https://' });
  return z.NEVER;
});

const shape = {
  PORT: port.default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  PUBLIC_URL: webOrigin.optional(),
  DATA_DIR: z
    .string()
    .default('./data')
    .transform((folder) => path.resolve(folder)),
  DATABASE_URL: z.string().refine(isDatabaseUrl).optional(),
  DATABASE_READ_URL: z.string().refine(isDatabaseUrl).optional(),
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/)
    .optional(),
  S3_REGION: z
    .string()
    .regex(/^[a-z0-9-]+$/)
    .optional(),
  S3_ENDPOINT: urlOf(['http:', 'https:']).optional(),
  AWS_ACCESS_KEY_ID: z.string().regex(/^\S+$/).optional(),
  AWS_SECRET_ACCESS_KEY: z.string().regex(/^\S+$/).optional(),
  AWS_SESSION_TOKEN: z.string().regex(/^\S+$/).optional(),
  SMTP_URL: urlOf(['smtp:', 'smtps:']).optional(),
  MAIL_FROM: z
    .string()
    .regex(/^[^\r\n]*[^\s@<>]+@[^\s@<>]+>?$/)
    .optional(),
  SECURITY_CONTACT: securityContact.optional(),
  AUTH_TOKEN_SYNC_URL: urlOf(['http:', 'https:']).optional(),
  AUTH_SECRET: z.string().min(32).optional(),
  LOG_KEY_FILE: z
    .string()
    .transform((file) => path.resolve(file))
    .optional(),
  REQUIRE_ADMIN_2FA: onOff.default(false),
  REGISTRY_NAME: z.string().trim().min(1).max(80).default('Truck Scale Registry'),
  REGISTRY_TIME_ZONE: z.string().default('Australia/Sydney').refine(isTimeZone),
  METRICS_TOKEN: z.string().min(16).optional(),
  RATE_LIMITS: onOff.default(true),
  TRUST_PROXY: onOff.default(false),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
};

const settings = z.object(shape);
type Settings = z.infer<typeof settings>;

// What each must be: the end of the sentence that begins with its name.
const MUST: Record<keyof typeof shape, string> = {
  PORT: 'must be a port number from 0 to 65535',
  HOST: 'must be an address to listen on',
  PUBLIC_URL: 'must be an origin such as https://registry.example, without a path',
  DATA_DIR: 'must be a folder',
  DATABASE_URL: 'must be an address such as postgres://user:password@host:5432/database',
  DATABASE_READ_URL: 'must be an address such as postgres://user:password@replica:5432/database',
  S3_BUCKET: 'must be a name of 3 to 63 lower-case letters, digits, dots and hyphens',
  S3_REGION: 'must be a region such as ap-southeast-2',
  S3_ENDPOINT: 'must be an address that begins with http:// or https://',
  AWS_ACCESS_KEY_ID: 'must not contain spaces',
  AWS_SECRET_ACCESS_KEY: 'must not contain spaces',
  AWS_SESSION_TOKEN: 'must not contain spaces',
  SMTP_URL: 'must be an address that begins with smtp:// or smtps://',
  MAIL_FROM: 'must be an email address, or a name with one in angle brackets',
  SECURITY_CONTACT: 'must be an email address, or an address that begins with https://',
  AUTH_TOKEN_SYNC_URL: 'must be an address that begins with http:// or https://',
  AUTH_SECRET: 'must have at least 32 characters',
  LOG_KEY_FILE: 'must be a file',
  REQUIRE_ADMIN_2FA: 'must be on or off',
  REGISTRY_NAME: 'must have 1 to 80 characters',
  REGISTRY_TIME_ZONE: 'must be a time zone such as Australia/Perth',
  METRICS_TOKEN: 'must have at least 16 characters',
  RATE_LIMITS: 'must be on or off',
  TRUST_PROXY: 'must be on or off',
  LOG_LEVEL: 'must be one of fatal, error, warn, info, debug, trace, silent',
};

function urlOf(protocols: readonly string[]): z.ZodType<URL, string> {
  return z
    .string()
    .refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol))
    .transform((text) => new URL(text));
}

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
export type Config = {
  port: number;
  host: string;
  publicUrl: URL | undefined;
  dataDir: string;
  databaseUrl: string | undefined;
  /** Of a replica that public pages may be read from. */
  databaseReadUrl: string | undefined;
  s3: S3Address | undefined;
  smtpUrl: URL | undefined;
  mailFrom: string | undefined;
  /** Where to report a security hole: a web or mail address. */
  securityContact: string | undefined;
  authTokenSyncUrl: URL | undefined;
  authSecret: string | undefined;
  logKeyFile: string | undefined;
  requireAdmin2fa: boolean;
  registryName: string;
  timeZone: string;
  metricsToken: string | undefined;
  rateLimits: boolean;
  trustProxy: boolean;
  logLevel: string;
  /** Its records are invented: `npm run demo`, no setting. */
  isDemo: boolean;
};

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

/**
 * Reads the settings. Throws ConfigError naming every malformed one. An empty variable counts as unset. A secret may be
 * given as a file instead.
 */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const given = Object.fromEntries(Object.keys(MUST).map((name) => [name, env[name] || readSecretFile(name, env)]));
  const parsed = settings.safeParse(given);
  if (!parsed.success) {
    const names = new Set(parsed.error.issues.map((issue) => String(issue.path[0])));
    throw new ConfigError(
      Object.entries(MUST)
        .filter(([name]) => names.has(name))
        .map(([name, must]) => `${name} ${must}.`)
        .join(' '),
    );
  }
  const { data } = parsed;
  const missing = MISSING.filter(({ when }) => when(data)).map(({ sentence }) => sentence);
  if (missing.length > 0) throw new ConfigError(missing.join(' '));
  return {
    port: data.PORT,
    host: data.HOST,
    publicUrl: data.PUBLIC_URL,
    dataDir: data.DATA_DIR,
    databaseUrl: data.DATABASE_URL,
    databaseReadUrl: data.DATABASE_READ_URL,
    s3: readS3(data),
    smtpUrl: data.SMTP_URL,
    mailFrom: data.MAIL_FROM,
    securityContact: data.SECURITY_CONTACT,
    authTokenSyncUrl: data.AUTH_TOKEN_SYNC_URL,
    authSecret: data.AUTH_SECRET,
    logKeyFile: data.LOG_KEY_FILE,
    requireAdmin2fa: data.REQUIRE_ADMIN_2FA,
    registryName: data.REGISTRY_NAME,
    timeZone: data.REGISTRY_TIME_ZONE,
    metricsToken: data.METRICS_TOKEN,
    rateLimits: data.RATE_LIMITS,
    trustProxy: data.TRUST_PROXY,
    logLevel: data.LOG_LEVEL,
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
