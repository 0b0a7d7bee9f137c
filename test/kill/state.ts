// Everything that the registry holds, read in one snapshot: what the writes of a ledger are looked up in.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Db, Tx } from '#app/platform/database/database.server.ts';

type Entry = { kind: string; subjectId: string; details: string; changes: readonly { field: string; to: unknown }[] };

export type State = Awaited<ReturnType<typeof readState>>;

/** As of one moment, with the mails that have left since. */
export async function readState(db: Db, dataDir: string) {
  const tables = await db.transaction().setIsolationLevel('repeatable read').execute(readTables);
  return stateOf(tables, [...tables.mails.map(({ recipient }) => recipient), ...(await mailsSent(dataDir))]);
}

async function mailsSent(dataDir: string): Promise<string[]> {
  const outbox = path.join(dataDir, 'outbox');
  // One whose name begins with a dot is being written.
  const names = (await readdir(outbox).catch(() => [])).filter((name) => /^[^.].*[.]eml$/.test(name));
  const texts = await Promise.all(names.map((name) => readFile(path.join(outbox, name), 'utf8')));
  return texts.map((text) => /^To: .*?([^\s<>]+@[^\s<>]+)/m.exec(text)?.[1] ?? '');
}

async function readTables(tx: Tx) {
  return {
    entries: await tx
      .selectFrom('activityLog')
      .leftJoin('activityDetail', 'activityDetail.index', 'activityLog.index')
      .select(['kind', 'subjectId', 'details', 'changes'])
      .where('origin', '=', 'recorded')
      .execute(),
    leaves: await tx
      .selectFrom('recordLeaf')
      .innerJoin('logLeaf', 'logLeaf.index', 'recordLeaf.leafIndex')
      .select(['recordTable', 'recordKey', 'entry'])
      .execute(),
    calibrations: await tx.selectFrom('calibration').select(['rego', 'id', 'value']).execute(),
    vehicles: await tx.selectFrom('vehicle').selectAll().execute(),
    links: await tx
      .selectFrom('vehicleFile')
      .leftJoin('storedFile', 'storedFile.id', 'vehicleFile.fileId')
      .select(['vehicleFile.id', 'uploadedName', 'role', 'removedAt', 'sha256'])
      .execute(),
    validations: await tx.selectFrom('validation').select(['id', 'reason']).execute(),
    uploads: await tx
      .selectFrom('stagedUpload')
      .innerJoin('storedFile', 'storedFile.id', 'stagedUpload.fileId')
      .select(['uploadedName'])
      .execute(),
    technicians: await tx.selectFrom('technician').selectAll().execute(),
    admins: await tx.selectFrom('admin').selectAll().execute(),
    applications: await tx.selectFrom('application').selectAll().execute(),
    accounts: await tx
      .selectFrom('account')
      .innerJoin('user', 'user.id', 'account.userId')
      .select(['email', 'mustChangePassword'])
      .execute(),
    sessions: await tx.selectFrom('session').select('userAgent').execute(),
    forms: await tx.selectFrom('formSubmission').select('key').execute(),
    mails: await tx.selectFrom('mail').select('recipient').execute(),
  };
}

type TablesRead = Awaited<ReturnType<typeof readTables>>;

function stateOf(tables: TablesRead, recipients: readonly string[]) {
  const entries = Map.groupBy(
    tables.entries.map(({ details, changes, ...entry }): Entry => ({
      ...entry,
      details: details ?? '',
      changes: changes ?? [],
    })),
    ({ kind }) => kind,
  );
  const byDetails = new Map([...entries].map(([kind, all]) => [kind, Map.groupBy(all, ({ details }) => details)]));
  const bySubject = new Map([...entries].map(([kind, all]) => [kind, Map.groupBy(all, ({ subjectId }) => subjectId)]));
  const byNotes = new Map(
    [...entries].map(([kind, all]) => [
      kind,
      Map.groupBy(all, ({ changes }) => changes.find(({ field }) => field === 'notes')?.to),
    ]),
  );
  const typeOf = (entry: string) => /"type":"([a-z.-]+)"/.exec(entry)?.[1] ?? '';
  const leaves = Map.groupBy(
    tables.leaves,
    ({ recordTable, recordKey, entry }) => `${typeOf(entry)} ${recordTable} ${recordKey}`,
  );
  const leavesByValue = Map.groupBy(
    tables.leaves.filter(({ recordTable }) => recordTable === 'calibration'),
    ({ entry }) => /"value":"([^"]*)"/.exec(entry)?.[1] ?? '',
  );
  const calibrations = Map.groupBy(tables.calibrations, ({ value }) => value);
  const vehicles = Map.groupBy(tables.vehicles, ({ rego }) => rego);
  const links = Map.groupBy(tables.links, ({ uploadedName }) => uploadedName);
  const validations = Map.groupBy(tables.validations, ({ reason }) => reason);
  const uploads = Map.groupBy(tables.uploads, ({ uploadedName }) => uploadedName);
  const technicians = Map.groupBy(tables.technicians, ({ email }) => email);
  const admins = Map.groupBy(tables.admins, ({ email }) => email);
  const applications = Map.groupBy(tables.applications, ({ email }) => email);
  const accounts = Map.groupBy(tables.accounts, ({ email }) => email);
  const sessions = Map.groupBy(tables.sessions, ({ userAgent }) => userAgent ?? '');
  const forms = new Set(tables.forms.map(({ key }) => key.slice(0, 8)));
  const mails = Map.groupBy(recipients, (recipient) => recipient);
  const linksOf = (name: string) => links.get(name) ?? [];
  return {
    entriesSaying: (kind: string, details: string) => byDetails.get(kind)?.get(details)?.length ?? 0,
    entriesAbout: (kind: string, subjectId: string) => bySubject.get(kind)?.get(subjectId)?.length ?? 0,
    /** Entries by which the notes became these. */
    entriesNoting: (kind: string, notes: string) => byNotes.get(kind)?.get(notes)?.length ?? 0,
    leaves: (type: string, table: string, key: string | number) => leaves.get(`${type} ${table} ${key}`)?.length ?? 0,
    leavesOfValue: (value: string) => leavesByValue.get(value)?.length ?? 0,
    calibrations: (value: string) => calibrations.get(value) ?? [],
    vehicles: (rego: string) => vehicles.get(rego) ?? [],
    links: (name: string) => linksOf(name),
    validations: (reason: string) => validations.get(reason) ?? [],
    uploads: (name: string) => uploads.get(name) ?? [],
    technicians: (email: string) => technicians.get(email) ?? [],
    admins: (email: string) => admins.get(email) ?? [],
    applications: (email: string) => applications.get(email) ?? [],
    accounts: (email: string) => accounts.get(email) ?? [],
    sessions: (userAgent: string) => sessions.get(userAgent) ?? [],
    /** What is kept under an idempotency key begins as it does (app/platform/database/idempotency-key.server.ts). */
    hasForm: (key: string) => (forms.has(key.slice(0, 8)) ? 1 : 0),
    /** Mails to this address that wait or were sent: one may be sent twice. */
    mails: (email: string) => mails.get(email)?.length ?? 0,
    /** The fields of 'vehicle REGO', 'person EMAIL' or 'file NAME' as they are. */
    fieldsOf(of: string): Readonly<Record<string, unknown>> | undefined {
      const [kind = '', name = ''] = of.split(' ');
      if (kind === 'file') {
        const [link] = linksOf(name);
        return link === undefined ? undefined : { removed: link.removedAt !== null };
      }
      const row = kind === 'vehicle' ? vehicles.get(name)?.[0] : (technicians.get(name)?.[0] ?? admins.get(name)?.[0]);
      return row === undefined ? undefined : { ...row, deleted: row.deletedAt !== null };
    },
  };
}
