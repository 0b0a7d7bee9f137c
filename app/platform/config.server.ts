// Every setting, read from the environment once at start. A malformed one stops the start with a sentence that names it.
import path from 'node:path';
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

const shape = {
  PORT: port.default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  PUBLIC_URL: webOrigin.optional(),
  DATA_DIR: z
    .string()
    .default('./data')
    .transform((folder) => path.resolve(folder)),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\/.+/)
    .optional(),
  REGISTRY_NAME: z.string().trim().min(1).max(80).default('Truck Scale Registry'),
  REGISTRY_TIME_ZONE: z.string().default('Australia/Sydney').refine(isTimeZone),
  METRICS_TOKEN: z.string().min(16).optional(),
  RATE_LIMITS: onOff.default(true),
  TRUST_PROXY: onOff.default(false),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
};

// What each must be: the end of the sentence that begins with its name.
const MUST: Record<keyof typeof shape, string> = {
  PORT: 'must be a port number from 0 to 65535',
  HOST: 'must be an address to listen on',
  PUBLIC_URL: 'must be an origin such as https://registry.example, without a path',
  DATA_DIR: 'must be a folder',
  DATABASE_URL: 'must begin with postgres:// or postgresql://',
  REGISTRY_NAME: 'must have 1 to 80 characters',
  REGISTRY_TIME_ZONE: 'must be a time zone such as Australia/Perth',
  METRICS_TOKEN: 'must have at least 16 characters',
  RATE_LIMITS: 'must be on or off',
  TRUST_PROXY: 'must be on or off',
  LOG_LEVEL: 'must be one of fatal, error, warn, info, debug, trace, silent',
};

function isTimeZone(zone: string): boolean {
  try {
    return Intl.DateTimeFormat('en-AU', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** The settings of one process. */
export type Config = {
  port: number;
  host: string;
  publicUrl: URL | undefined;
  dataDir: string;
  databaseUrl: string | undefined;
  registryName: string;
  timeZone: string;
  metricsToken: string | undefined;
  rateLimits: boolean;
  trustProxy: boolean;
  logLevel: string;
};

/** Malformed settings: one sentence each. */
export class ConfigError extends Error {}

/** Reads the settings. Throws ConfigError naming every malformed one. An empty variable counts as unset. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const given = Object.fromEntries(Object.keys(MUST).map((name) => [name, env[name] === '' ? undefined : env[name]]));
  const parsed = z.object(shape).safeParse(given);
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
  return {
    port: data.PORT,
    host: data.HOST,
    publicUrl: data.PUBLIC_URL,
    dataDir: data.DATA_DIR,
    databaseUrl: data.DATABASE_URL,
    registryName: data.REGISTRY_NAME,
    timeZone: data.REGISTRY_TIME_ZONE,
    metricsToken: data.METRICS_TOKEN,
    rateLimits: data.RATE_LIMITS,
    trustProxy: data.TRUST_PROXY,
    logLevel: data.LOG_LEVEL,
  };
}
