// Every command of `npm run`, and what `npm run help` says of them.
import { SERVER_ENV, SERVER_FLAGS } from './server-flags.mjs';

const PRODUCTION = { NODE_ENV: 'production' };

// What each command needs and runs.
export const COMMANDS = {
  build: { build: true },
  start: { build: true, entry: 'server/index.ts', node: SERVER_FLAGS, env: { ...PRODUCTION, ...SERVER_ENV } },
  demo: { build: true, entry: 'commands/demo/demo.ts', node: SERVER_FLAGS, env: { ...PRODUCTION, ...SERVER_ENV } },
  dev: { entry: 'server/dev.ts', env: { NODE_ENV: 'development' } },
  // Garbage is collected sooner, so that a large export does not take more memory than a small one.
  import: { entry: 'commands/import.ts', node: ['--max-old-space-size=320'], env: PRODUCTION },
  backup: { entry: 'commands/backup.ts', env: PRODUCTION },
  restore: { entry: 'commands/restore.ts', env: PRODUCTION },
  'create-admin': { entry: 'commands/create-admin.ts', env: PRODUCTION },
  'name-log': { entry: 'commands/name-log.ts', env: PRODUCTION },
  'make-log-key': { entry: 'commands/make-log-key.ts' },
  doctor: { entry: 'commands/doctor.ts', env: PRODUCTION },
  'check-files': { entry: 'commands/check-files.ts', env: PRODUCTION },
  // build:verifier makes each a single file without dependencies, which runs without this repository too.
  witness: { entry: 'commands/witness.ts' },
  mirror: { entry: 'commands/mirror.ts' },
  verify: { entry: 'commands/verify.ts' },
  // Needs the database; what runs anywhere stays apart from it.
  'verify db': { entry: 'commands/verify-db.ts', env: PRODUCTION },
  sbom: { entry: 'scripts/sbom.mjs' },
  'build:verifier': { entry: 'scripts/build-verifier.mjs' },
  format: { entry: 'node_modules/oxfmt/bin/oxfmt' },
  'format:check': { entry: 'node_modules/oxfmt/bin/oxfmt', args: ['--check'] },
  bench: { build: true, tools: ['chromium'], entry: 'bench/bench.ts' },
};

export const HELP = `Truck Scale Registry                          npm run COMMAND -- ARGUMENTS

start           the registry, at http://127.0.0.1:3000 (also: npm start)
demo            a registry with 258 invented vehicles, at the same address
import          FILE.json [--files DIR] [--dry-run] [--trial]: a former export
create-admin    --email ADDRESS --name NAME [--must-change]
name-log        gives a trial log the name of PUBLIC_URL
make-log-key    HOST: a signing key of a log, for LOG_KEY_FILE
backup          FILE [--with-log-key] [--with-auth-secret]: all in one archive
restore         FILE [--check]: an archive into an empty registry
doctor          how disk, database, mail, clock and last backup are
check-files     compares each stored file with its record
verify          proof FILE | truck FILE | audit URL | fork NOTE NOTE | db
mirror          URL KEY DIR [--witness FILE ...]: a checked copy of a public log
witness         witness.conf | --new-key NAME FILE: cosigns public logs
build:verifier  verify, mirror and witness, each as one file in build/
sbom            what the registry is made of, as CycloneDX (npm run -s sbom)

For work: dev, check, test, test:all, test:rest, format, build
bench           [NAME]: registry, histories, visits, check, kills or browser

Settings are environment variables (PUBLIC_URL, ...): see docs/operations.md.
`;
