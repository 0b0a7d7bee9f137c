import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readConfig } from './config.server.ts';

test('without settings the registry runs on loopback with its own database', () => {
  expect(readConfig({})).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
    registryName: 'Truck Scale Registry',
    timeZone: 'Australia/Sydney',
    databaseUrl: undefined,
    publicUrl: undefined,
    rateLimits: true,
    trustProxy: false,
    logLevel: 'info',
  });
  expect(readConfig({ PORT: '', DATABASE_URL: '' })).toMatchObject({ port: 3000, databaseUrl: undefined });
});

test('every setting is read', () => {
  expect(
    readConfig({
      PORT: '0',
      PUBLIC_URL: 'https://registry.example',
      REGISTRY_TIME_ZONE: 'Australia/Perth',
      TRUST_PROXY: 'on',
      RATE_LIMITS: 'off',
      DATABASE_URL: 'postgres://registry:p%40ss@/registry?host=/run/postgresql',
      S3_BUCKET: 'scales',
      S3_ENDPOINT: 'http://127.0.0.1:9000',
      AWS_ACCESS_KEY_ID: 'key',
      AWS_SECRET_ACCESS_KEY: 'secret',
      LOG_KEY_FILE: '/run/secrets/log-key',
      SMTP_URL: 'smtps://user:pass@mail.example:465',
      MAIL_FROM: 'Truck Scale Registry <registry@mail.example>',
      AUTH_SECRET: 'x'.repeat(32),
      REQUIRE_ADMIN_2FA: 'on',
    }),
  ).toMatchObject({
    databaseUrl: 'postgres://registry:p%40ss@/registry?host=/run/postgresql',
    s3: {
      bucket: 'scales',
      region: 'us-east-1',
      endpoint: new URL('http://127.0.0.1:9000'),
      credentials: { accessKeyId: 'key', secretAccessKey: 'secret' },
    },
    logKeyFile: '/run/secrets/log-key',
    smtpUrl: new URL('smtps://user:pass@mail.example:465'),
    mailFrom: 'Truck Scale Registry <registry@mail.example>',
    authSecret: 'x'.repeat(32),
    requireAdmin2fa: true,
    port: 0,
    publicUrl: new URL('https://registry.example'),
    timeZone: 'Australia/Perth',
    trustProxy: true,
    rateLimits: false,
  });
});

test.each([
  ['PORT', '80a'],
  ['PORT', '70000'],
  ['PORT', '-1'],
  ['PUBLIC_URL', 'registry.example'],
  ['PUBLIC_URL', 'ftp://registry.example'],
  ['PUBLIC_URL', 'https://registry.example/path'],
  ['DATABASE_URL', 'mysql://x'],
  ['DATABASE_READ_URL', 'replica.example'],
  ['DATABASE_URL', 'postgres://user:secret@[x/registry'],
  ['S3_BUCKET', 'A_b'],
  ['S3_REGION', 'ap southeast'],
  ['S3_ENDPOINT', 'storage.example'],
  ['SMTP_URL', 'http://mail.example'],
  ['MAIL_FROM', 'registry'],
  ['MAIL_FROM', 'a@b\r\nBcc: c@d'],
  ['CONTACT_EMAIL', 'https://registry.example'],
  ['CONTACT_EMAIL', 'Help <help@registry.example>'],
  ['OPERATOR_NAME', 'x'.repeat(81)],
  ['SOURCE_URL', 'git@registry.example:scales.git'],
  ['AUTH_TOKEN_SYNC_URL', 'ftp://x'],
  ['AUTH_SECRET', 'short'],
  ['REQUIRE_ADMIN_2FA', 'true'],
  ['REGISTRY_TIME_ZONE', 'Sydney'],
  ['LOG_LEVEL', 'loud'],
  ['TRUST_PROXY', 'yes'],
  ['RATE_LIMITS', '1'],
  ['METRICS_TOKEN', 'short'],
  ['REGISTRY_NAME', 'x'.repeat(81)],
])('%s=%s stops the start with a sentence that names it', (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name} must .*\\.$`));
});

test('a secret may be given as a file, whose last line end does not count; the variable itself goes first', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'registry-secrets-'));
  const file = path.join(folder, 'auth-secret');
  await writeFile(file, `${'y'.repeat(40)}\n`);
  expect(readConfig({ AUTH_SECRET_FILE: file }).authSecret).toBe('y'.repeat(40));
  expect(readConfig({ AUTH_SECRET_FILE: file, AUTH_SECRET: 'x'.repeat(32) }).authSecret).toBe('x'.repeat(32));
  expect(() => readConfig({ METRICS_TOKEN_FILE: path.join(folder, 'none') })).toThrow(
    /^METRICS_TOKEN_FILE names .*, which cannot be read\.$/,
  );
  await writeFile(file, 'short');
  expect(() => readConfig({ AUTH_SECRET_FILE: file })).toThrow(/^AUTH_SECRET must /);
  await rm(folder, { recursive: true });
});

const BUCKET = { S3_BUCKET: 'scales', S3_REGION: 'ap-southeast-2' };
const DATABASE_URL = 'postgres://registry@127.0.0.1/registry';
const AUTH_SECRET = 'x'.repeat(32);

test.each([
  [{ S3_ENDPOINT: 'http://127.0.0.1:9000' }, /^S3_REGION or S3_ENDPOINT is given without S3_BUCKET: [^.]*\.$/],
  [{ S3_BUCKET: 'scales' }, /^S3_REGION must be given with S3_BUCKET, or S3_ENDPOINT [^.]*\.$/],
  [{ ...BUCKET, AWS_ACCESS_KEY_ID: 'key' }, /^AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be given together\.$/],
  [{ ...BUCKET, AWS_SECRET_ACCESS_KEY: 'x' }, /^AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be given together\.$/],
  [{ ...BUCKET, DATABASE_URL, AUTH_SECRET }, /^LOG_KEY_FILE must be given with S3_BUCKET and DATABASE_URL: .* fork\.$/],
  [
    { ...BUCKET, DATABASE_URL, LOG_KEY_FILE: '/key' },
    /^AUTH_SECRET must be given with S3_BUCKET and DATABASE_URL: [^.]*\.$/,
  ],
  [{ ...BUCKET, DATABASE_URL }, /^AUTH_SECRET must .*\. LOG_KEY_FILE must .*\.$/],
])('%j is half of what is needed: the sentence names the rest', (env, sentence) => {
  expect(() => readConfig(env)).toThrow(sentence);
});

test('a bucket with the embedded database needs no more; elsewhere keys of Amazon’s are nobody’s business', () => {
  expect(readConfig(BUCKET).s3).toMatchObject({ bucket: 'scales', region: 'ap-southeast-2', credentials: undefined });
  expect(readConfig({ AWS_ACCESS_KEY_ID: 'key' }).s3).toBeUndefined();
  expect(readConfig({ ...BUCKET, DATABASE_URL, AUTH_SECRET, LOG_KEY_FILE: '/key' }).databaseUrl).toBe(DATABASE_URL);
});

test('all that is malformed is named at once', () => {
  expect(() => readConfig({ PORT: 'x', LOG_LEVEL: 'y' })).toThrow(/PORT must .* LOG_LEVEL must /);
});

test('a sentence never repeats what was given: it may be a password', () => {
  expect(() => readConfig({ DATABASE_URL: 'postgres://user:secret@[x/', AUTH_SECRET: 'secret' })).toThrow(
    /^((?!secret).)*$/,
  );
});
