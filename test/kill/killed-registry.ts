// A registry under a load of every kind of write that is killed, restarted and compared, round after round.
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { sweepFiles, sweepStore } from '#app/files/sweep-files.server.ts';
import { openFileStore } from '#app/platform/storage/file-store.server.ts';
import { logKey } from '#app/transparency-log/log-key.server.ts';
import { demoRandom, type DemoRandom } from '#commands/demo/random.ts';
import { noisyJpeg } from '#test/image-parts.ts';
import { addPerson, PASSWORD } from '#test/people.ts';
import { audit } from '#test/published-log.ts';
import { startRegistry, type StartedRegistry } from '#test/start-registry.ts';
import { fillBeforeTheLog } from './before-the-log.ts';
import { FleetWorkload } from './fleet-workload.ts';
import { ImportBeside } from './import-beside.ts';
import { compareAll, filesWithoutRecord } from './invariants.ts';
import { kill, killPostgres, momentOf, pause, MOMENTS, VICTIMS, type Moment, type Victim } from './kills.ts';
import { Ledger } from './ledger.ts';
import { PeopleWorkload } from './people-workload.ts';
import { SignInWorkload } from './sign-in-workload.ts';
import { SignedNotes } from './signed-notes.ts';
import { readState } from './state.ts';
import { formOf, Visitor } from './visitor.ts';

const AT_LEAST = 20;
const ACKNOWLEDGED_WITHIN_MS = 60_000;
const UP_WITHIN_MS = 60_000;
const MODULES = path.resolve(import.meta.dirname, '../../node_modules/.cache/kill');
/** Of admins whom nobody added through the registry. */
const SEEDED_AT = '@seeded.example';
const SEEDED = `first${SEEDED_AT}`;
const SHARED = 'SHARED1';

export type Round = {
  moment: Moment;
  victim: Victim;
  /** Whether the moment came, or some other one was taken. */
  came: boolean;
  acknowledged: number;
  /** Writes of which nobody was told: there, and not there. */
  open: number;
  killsWhileStarting: number;
  findings: string[];
};

type Workload = { next: () => Promise<boolean> };

export class KilledRegistry {
  readonly registry: StartedRegistry;
  readonly ledger: Ledger;
  readonly #random: DemoRandom;
  readonly #imports: ImportBeside;
  readonly #notes: SignedNotes;
  readonly #uploader: Visitor;
  #workloads: Workload[] = [];
  #rounds = 0;

  private constructor(registry: StartedRegistry, random: DemoRandom) {
    this.registry = registry;
    this.#random = random;
    this.ledger = new Ledger(random);
    this.#imports = new ImportBeside(registry);
    this.#notes = new SignedNotes(registry.dataDir);
    this.#uploader = new Visitor(registry.url, 'uploader');
  }

  /**
   * A new one, of the version before the log: killed while it migrates and enters its records until it is up.
   * `settings` of PostgreSQL are others than the product's.
   */
  static async open(
    seed: string,
    settings: Readonly<Record<string, string>> = {},
  ): Promise<{ killed: KilledRegistry; killsWhileStarting: number }> {
    const registry = await startRegistry(
      // Most of a start would be reading the modules.
      { LOG_LEVEL: process.env['KILL_LOG_LEVEL'] ?? 'silent', NODE_COMPILE_CACHE: MODULES },
      tmpdir(),
      { fill: (address) => fillBeforeTheLog(address, settings) },
    );
    const killed = new KilledRegistry(registry, demoRandom(seed));
    try {
      await killed.#notes.open();
      const killsWhileStarting = await killed.#start(4);
      await killed.#openOffice();
      return { killed, killsWhileStarting };
    } catch (error) {
      await killed.close();
      throw error;
    }
  }

  /** Load, kill, restart, compare, and the forms of which nobody was told once more. */
  async round(
    moment = MOMENTS[this.#rounds % MOMENTS.length] ?? 'any',
    victim = this.#random.pick(VICTIMS),
  ): Promise<Round> {
    this.#rounds += 1;
    const { ledger } = this;
    const withImport = this.#random.whole(1, 4) === 1;
    const before = ledger.acknowledged;
    if (withImport) await this.#imports.begin();
    const halfSent = Promise.withResolvers<void>();
    const load = this.#load();
    await this.#until(() => ledger.acknowledged - before >= AT_LEAST, 'twenty writes are acknowledged');
    const upload = moment === 'upload' ? this.#slowUpload(halfSent.resolve) : Promise.resolve();
    const came = await momentOf(moment, this.registry, this.#random, halfSent.promise);
    ledger.mayFail = true;
    const acknowledged = ledger.acknowledged - before;
    const killedAt = new Date();
    await kill(this.registry, victim, this.#random);
    if (withImport && this.#random.whole(0, 1) === 0) this.#imports.kill();
    load.stop();
    const killsWhileStarting =
      victim === 'server' || victim === 'both'
        ? await this.#start(this.#random.pick([0, 0, 1, 2]))
        : await this.#ready();
    await Promise.all([load.ended, upload, this.#imports.ended()]);
    await this.#settled(killedAt);
    ledger.mayFail = false;
    const open = ledger.open.length;
    const findings = await this.compare();
    await ledger.retry(6);
    return { moment, victim, came, acknowledged, open, killsWhileStarting, findings: [...findings, ...ledger.take()] };
  }

  /** Compares everything. Gives what was not found before. */
  async compare(): Promise<string[]> {
    const { ledger, registry } = this;
    const find = (sentence: string) => ledger.find(sentence);
    ledger.compare(await readState(registry.db, registry.dataDir));
    await this.#imports.compare(registry.db, find);
    await compareAll(registry.db, registry.dataDir, SEEDED_AT, find);
    await this.#notes.compare(registry.db, find);
    await this.#compareAnswers();
    return ledger.take();
  }

  /** The last comparison: what was sent again too, the published log to its end, and the files once they are swept. */
  async compareAtTheEnd(): Promise<string[]> {
    const { ledger } = this;
    const { db, dataDir } = this.registry;
    const findings = await this.compare();
    await this.#comparePublished();
    const files = await openFileStore({ directory: path.join(dataDir, 'files') });
    const tomorrow = new Date(Date.now() + 25 * 60 * 60 * 1000);
    await sweepFiles({ db, files }, tomorrow);
    await sweepStore({ db, files }, tomorrow);
    for (const key of await filesWithoutRecord(db, dataDir))
      ledger.find(`file ${key}: no record names it, and it stays.`);
    await compareAll(db, dataDir, SEEDED_AT, (sentence) => ledger.find(sentence));
    return [...findings, ...ledger.take()];
  }

  async close(): Promise<{ notes: number; imports: number }> {
    this.#notes.close();
    await this.registry.stop();
    return { notes: this.#notes.seen, imports: this.#imports.done };
  }

  // What everyone reads says the same.
  async #compareAnswers(): Promise<void> {
    for (const q of ['', 'K', 'KA', 'SHARED', 'IM0X']) {
      const text = (await this.#uploader.page(`/api/v1/vehicles?q=${q}`)) ?? '';
      const total = Number(/"total":(\d+)/.exec(text)?.[1]);
      const { rows } = await sql<{ n: number }>`select count(*) as n from vehicle
        where deleted_at is null and (rego like ${`%${q}%`} or vin like ${`%${q}%`})`.execute(this.registry.db);
      if (total !== rows[0]?.n)
        this.ledger.find(`A search for "${q}" answers ${total} vehicles, and there are ${rows[0]?.n}.`);
    }
  }

  async #comparePublished(): Promise<void> {
    const { db, dataDir } = this.registry;
    const key = await logKey({ dataDir, logKeyFile: undefined, publicUrl: undefined });
    const { leafSize } = await db.selectFrom('activityState').select('leafSize').executeTakeFirstOrThrow();
    const published = path.join(dataDir, 'log/1');
    await this.#until(async () => {
      const note = await readFile(path.join(published, 'checkpoint'), 'utf8').catch(() => '');
      return Number(note.split('\n')[1]) >= leafSize;
    }, `the log's ${leafSize} entries are published`);
    const { result, sentence } = await audit(published, key);
    if (result !== 'proved') this.ledger.find(`The published log: ${sentence}`);
  }

  /** The people whose workloads load it, as they come to be. */
  async #openOffice(): Promise<void> {
    const { registry, ledger } = this;
    const { url } = registry;
    await addPerson(registry.db, 'admin', SEEDED, { name: 'First' });
    const signedIn = async (visitor: Visitor, email: string) => {
      visitor.cookie = (await visitor.post('/login', formOf({ email, password: PASSWORD }))).cookie;
      return visitor;
    };
    const office = await signedIn(new Visitor(url, 'office'), SEEDED);
    await signedIn(this.#uploader, SEEDED);
    const shared = new FormData();
    shared.append('rego', SHARED);
    shared.append('axle_groups', 'DRIVE');
    await office.post('/vehicles/new', shared);
    const toolsFor = (workload: string) => ({
      url,
      visitor: office,
      ledger,
      random: demoRandom(`${workload} ${this.#random.text(12, 'abcdefghijklmnopqrstuvwxyz')}`),
      jpeg: noisyJpeg,
    });
    const people = new PeopleWorkload(toolsFor('people'), 'P');
    await people.apply();
    await people.approve();
    const technician = await people.takeTechnician();
    // Each is somebody else: a person has one visit at a time on the shared vehicle.
    const fleets = ['AA', 'AB', 'AC'].map(async (name) => {
      const email = `${name.toLowerCase()}${SEEDED_AT}`;
      await addPerson(registry.db, 'admin', email, { name });
      const visitor = await signedIn(new Visitor(url, name), email);
      return new FleetWorkload({ ...toolsFor(name), visitor }, { name, isAdmin: true, shared: SHARED });
    });
    this.#workloads = [
      ...(await Promise.all(fleets)),
      new FleetWorkload({ ...toolsFor('TA'), visitor: technician }, { name: 'TA', isAdmin: false, shared: SHARED }),
      people,
      new SignInWorkload(toolsFor('sign-in'), SEEDED),
    ];
  }

  #load(): { stop: () => void; ended: Promise<unknown> } {
    let stopped = false;
    const run = async (workload: Workload) => {
      // Anybody who got no answer waits until the registry is up.
      while (!stopped && (await workload.next()));
    };
    const ended = Promise.all(this.#workloads.map(run));
    return { stop: () => (stopped = true), ended };
  }

  // Half of a certificate, and then nothing until the line is cut or the server has the rest.
  async #slowUpload(halfSent: () => void): Promise<void> {
    const encoder = new TextEncoder();
    const body = new ReadableStream<Uint8Array>({
      async start(stream) {
        stream.enqueue(
          encoder.encode(
            '--cut\r\ncontent-disposition: form-data; name="certificate_file"; filename="half.pdf"\r\n\r\n%PDF-1.4\n',
          ),
        );
        stream.enqueue(new Uint8Array(400_000).fill(0x41));
        await pause(50);
        halfSent();
        await pause(1500);
        stream.enqueue(encoder.encode('\n%%EOF\n\r\n--cut--\r\n'));
        stream.close();
      },
    });
    await this.#uploader.post('/uploads', body, { type: 'multipart/form-data; boundary=cut' }).catch(() => undefined);
  }

  /** Starts the server, which is killed `times` on its way up, sometimes with its database. */
  async #start(times: number): Promise<number> {
    for (let n = 0; n < times; n += 1) {
      const starting = this.registry.startServer().then(
        () => 'up',
        () => 'killed',
      );
      await pause(this.#random.whole(100, 1400));
      if (this.#random.whole(1, 3) === 1) await killPostgres(this.registry.dataDir);
      await this.registry.killServer();
      await starting;
    }
    await this.registry.startServer();
    return times;
  }

  // A server that was not killed comes back by itself.
  async #ready(): Promise<number> {
    await this.#until(
      async () => (await fetch(`${this.registry.url}/readyz`).catch(() => undefined))?.ok === true,
      'the server is ready again without a restart',
      UP_WITHIN_MS,
    );
    return 0;
  }

  // What a server that is gone had begun may still end, either way.
  async #settled(killedAt: Date): Promise<void> {
    await this.#until(async () => {
      const { rows } =
        await sql`select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
        and backend_start < ${killedAt} and state <> 'idle'`.execute(this.registry.db);
      return rows.length === 0;
    }, 'what was begun before the kill has ended');
  }

  async #until(
    holds: () => boolean | Promise<boolean>,
    what: string,
    withinMs = ACKNOWLEDGED_WITHIN_MS,
  ): Promise<void> {
    for (const deadline = Date.now() + withinMs; Date.now() < deadline; await pause(20))
      if (await Promise.resolve(holds()).catch(() => false)) return;
    throw new Error(`Not within ${withinMs / 1000} s: ${what}. ${this.ledger.take().join(' ')}`);
  }
}
