// Every command of `npm run`, and what `npm run help` says of them.
import { SERVER_ENV, SERVER_FLAGS } from './server-flags.mjs';

// What each command needs and runs.
export const COMMANDS = {
  build: { build: true },
  start: { build: true, entry: 'server/index.ts', node: SERVER_FLAGS, env: { NODE_ENV: 'production', ...SERVER_ENV } },
  demo: { build: true, entry: 'commands/demo.ts', node: SERVER_FLAGS, env: { NODE_ENV: 'production', ...SERVER_ENV } },
  dev: { build: false, entry: 'server/dev.ts', env: { NODE_ENV: 'development' } },
  // Garbage is collected sooner, so that a large export does not take more memory than a small one.
  import: {
    build: false,
    entry: 'commands/import.ts',
    node: ['--max-old-space-size=320'],
    env: { NODE_ENV: 'production' },
  },
  backup: { build: false, entry: 'commands/backup.ts', env: { NODE_ENV: 'production' } },
  restore: { build: false, entry: 'commands/restore.ts', env: { NODE_ENV: 'production' } },
  'create-admin': { build: false, entry: 'commands/create-admin.ts', env: { NODE_ENV: 'production' } },
  'name-log': { build: false, entry: 'commands/name-log.ts', env: { NODE_ENV: 'production' } },
  'make-log-key': { build: false, entry: 'commands/make-log-key.ts', env: {} },
  'check-files': { build: false, entry: 'commands/check-files.ts', env: { NODE_ENV: 'production' } },
  verify: { build: false, entry: 'commands/verify.ts', env: {} },
  // Needs the database; what runs anywhere stays apart from it.
  'verify db': { build: false, entry: 'commands/verify-db.ts', env: { NODE_ENV: 'production' } },
  sbom: { build: false, entry: 'scripts/sbom.mjs', env: {} },
  'build:verifier': { build: false, entry: 'scripts/build-verifier.mjs', env: {} },
  lighthouse: { build: true, tools: ['chromium'], entry: 'bench/lighthouse.ts', env: {} },
  format: { build: false, entry: 'node_modules/oxfmt/bin/oxfmt', env: {} },
  'format:check': { build: false, entry: 'node_modules/oxfmt/bin/oxfmt', args: ['--check'], env: {} },
  bench: { build: true, tools: ['wrk'], entry: 'bench/registry.ts', env: {} },
  'bench:append': { build: false, entry: 'bench/append.ts', env: {} },
  'bench:backup': { build: false, entry: 'bench/backup.ts', env: {} },
  'bench:enumeration': { build: true, entry: 'bench/enumeration.ts', env: {} },
  'bench:phone-check': { build: true, tools: ['chromium'], entry: 'bench/phone-check.ts', env: {} },
  'bench:log': { build: true, entry: 'bench/log.ts', env: {} },
  'bench:kill-start': { build: true, entry: 'bench/kill-start.ts', env: {} },
  'bench:kill': { build: true, entry: 'bench/kill.ts', env: {} },
  'bench:histories': { build: true, entry: 'bench/histories.ts', env: {} },
  'bench:slow-clients': { build: true, entry: 'bench/slow-clients.ts', env: {} },
  'bench:large-pictures': { build: true, entry: 'bench/large-pictures.ts', env: {} },
  'bench:recall': { build: false, entry: 'bench/recall.ts', env: {} },
  'bench:flips': { build: false, entry: 'bench/flips.ts', env: {} },
};

export const HELP = `Truck Scale Registry                          npm run COMMAND -- ARGUMENTS

start           the registry, at http://127.0.0.1:3000 (also: npm start)
demo            a registry with sixty invented vehicles, at the same address
import          FILE.json [--files DIR] [--dry-run] [--trial]
                the former database's export and a copy of its file storage
create-admin    --email ADDRESS --name NAME [--must-change]
name-log        gives a trial log the name of PUBLIC_URL
make-log-key    HOST: a signing key of a log, for LOG_KEY_FILE
backup          FILE [--with-log-key] [--with-auth-secret]: all in one archive
restore         FILE [--check]: an archive into an empty registry
check-files     compares each stored file with its record
verify          proof FILE | audit URL | fork NOTE NOTE | db: the public log
build:verifier  the same as one file, build/verify.mjs
sbom            what the registry is made of, as CycloneDX (npm run -s sbom)

To work on it: dev, check, test, test:endurance, format, build, lighthouse, and
bench with append, backup, enumeration, flips, histories, kill, kill-start,
large-pictures, log, phone-check, recall, slow-clients (npm run bench:append)

Settings are environment variables (PUBLIC_URL, DATA_DIR, DATABASE_URL, ...):
docs/operations.md lists them.
`;
