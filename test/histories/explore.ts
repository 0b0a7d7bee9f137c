// Runs random histories, and shrinks the first that cannot be explained to one that can be read.
import fc from 'fast-check';
import { closeExpired } from '#app/visits/close-visit.server.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { judge } from './judge.ts';
import type { Call } from './operation.ts';
import { Pauses } from './pauses.ts';
import { performByFunctions, type Perform } from './perform.ts';
import { programs, type Program } from './program.ts';
import { lookUp } from './look-up.ts';
import { readEnd } from './read-end.ts';
import { readSizes } from './read-logs.ts';
import { runProgram, type Stage } from './run-program.ts';
import { castFor, type Cast } from './world.ts';

/** Where histories are run, and how their operations are carried out. */
export type Ground = {
  db: Db;
  programs: fc.Arbitrary<Program>;
  castFor: (program: Program, name: string) => Promise<Cast>;
  perform: (program: Program) => Perform;
  /** The clock of all readings, where the history sets it; else the server's own counts. */
  clock?: () => Date;
  /** Closes the visits that are left open, so that the next history finds none. */
  closeAll?: () => Promise<void>;
};

export type Exploration = {
  ground: Ground;
  seed: number;
  runs: number;
  /** How long a history that cannot be explained is made smaller. */
  shrinkForMs: number;
  /** Told of each history that was explained. */
  onHistory?: (calls: readonly Call[]) => void;
};
export type Found = { runs: number; report: string };

/** The product's functions over `services`, on a connection that pauses where the program says so. */
export function onFunctions(services: Services, performWith = performByFunctions): Ground {
  const { db } = services;
  return {
    db,
    programs,
    castFor: (program, name) => castFor(db, program, name),
    perform: ({ pause }) =>
      performWith({
        ...services,
        now: () => new Date(),
        db: pause === 0 ? db : db.withPlugin(new Pauses(pause, Math.random)),
      }),
    clock: () => new Date(),
    async closeAll() {
      while ((await closeExpired(db, { now: IN_YEARS, zone: services.config.timeZone })) > 0);
    },
  };
}

const IN_YEARS = new Date('2040-01-01');

/** Which of two orders the clients of a shrunk program come in is chance: each is tried so often. */
const TRIES_WHILE_SHRINKING = 12;

let histories = 0;

/** Runs `runs` histories from `seed`. Returns the first that cannot be explained, as small as it could be made. */
export async function explore({ ground, seed, runs, shrinkForMs, onHistory }: Exploration): Promise<Found | undefined> {
  let report: string | undefined;
  let ran = 0;
  let shrinkUntil = 0;
  const property = fc.asyncProperty(ground.programs, async (program) => {
    if (report !== undefined && Date.now() > shrinkUntil) return true;
    if (report === undefined) ran += 1;
    for (let nth = report === undefined ? 1 : TRIES_WHILE_SHRINKING; nth > 0; nth -= 1) {
      const { wrong, calls } = await runOnce(ground, program);
      const isFirst = report === undefined;
      if (wrong === undefined && isFirst) onHistory?.(calls);
      if (wrong !== undefined) {
        if (isFirst) shrinkUntil = Date.now() + shrinkForMs;
        report = `${wrong}\nIts program: ${JSON.stringify(program)}`;
        return false;
      }
    }
    return true;
  });
  await fc.check(property, { seed, numRuns: runs });
  return report === undefined
    ? undefined
    : { runs: ran, report: `${report}\nFound in history ${ran} of seed ${seed}.` };
}

async function runOnce({ db, castFor, perform, clock, closeAll }: Ground, program: Program) {
  const name = `h${(histories += 1)}`;
  const stage: Stage = {
    regos: program.vehicles.map((_, nth) => `${name}V${nth}`.toUpperCase()),
    applicants: program.applicants.map((_, nth) => `applicant${nth}.${name}@histories.example`),
    cast: await castFor(program, name),
    ...(clock === undefined ? {} : { at: clock().getTime() }),
  };
  const since = await readSizes(db);
  const calls = await runProgram(program, { ...stage, look: lookUp(db) }, perform(program));
  const end = await readEnd(db, stage, since);
  await closeAll?.();
  return { calls, wrong: judge({ calls, stage, end }) };
}
