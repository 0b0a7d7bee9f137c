// Lets the eight clients of a program loose on a registry, and writes down what each did, when, and what came of it.
import { randomUUID } from 'node:crypto';
import { addDays, todayIn } from '#app/platform/time/calendar.ts';
import type { Call, Opened, Operation, Outcome, Reading } from './operation.ts';
import type { Answer, Perform } from './perform.ts';
import { CLIENTS, type PeopleStep, type Program, type ProgramStep, type VehicleStep } from './program.ts';
import type { Cast, ClientPerson } from './world.ts';

const AXLES = ['STEER', 'DRIVE'] as const;
const NOTES = ['', 'greased', 'seal broken', 'new cable'];

/** The regos and addresses of one history, named so that no other history has them. */
export type Stage = { regos: readonly string[]; applicants: readonly string[]; cast: Cast; at?: number };
/** Which readings a rego has by now, for whoever corrects one that the history cannot name by its clock. */
type Known = { readingIds: (rego: string) => Promise<readonly number[]> };

/**
 * All readings are of the stage's millisecond, or beside it, so that their ids meet; without one, of the server's clock.
 */
export async function runProgram(program: Program, stage: Stage & Known, perform: Perform): Promise<Call[]> {
  const calls: Call[] = [];
  let clock = 0;
  const { regos, applicants, cast, at } = stage;
  /** Removed or live, the records that somebody has seen, by rego: whoever restores chooses among them. */
  const seen = new Map<string, { id: string; mark: string }[]>();
  /** The suspensions that there have been, by address: whoever lifts one chooses among them. */
  const suspensions = new Map<string, { id: string; mark: string }[]>();
  const today = todayIn('UTC');

  const call = async (by: ClientPerson, operation: Operation, times = 1): Promise<Answer> => {
    const once = async () => {
      const from = (clock += 1);
      const answer = await perform(by.who, operation).catch((error: unknown): Answer => ({ outcome: failure(error) }));
      calls.push({ by: by.client, operation, from, to: (clock += 1), outcome: answer.outcome });
      return answer;
    };
    const [first] = await Promise.all([once(), ...Array.from({ length: times - 1 }, once)]);
    return first;
  };

  const open = async (by: ClientPerson, rego: string): Promise<Opened | undefined> => {
    const { outcome, id } = await call(by, { do: 'open', rego });
    if (id === undefined) return undefined;
    const form = openedOf(outcome, id);
    const known = seen.get(rego) ?? [];
    if (!known.some((one) => one.id === id)) seen.set(rego, [...known, form]);
    return form;
  };

  const suspend = async (by: ClientPerson, email: string, days: number, times = 1): Promise<void> => {
    // The reason names it: no other history has this one.
    const mark = randomUUID();
    const { id } = await call(by, { do: 'suspend', email, from: addDays(today, days), mark, key: mark }, times);
    if (id !== undefined) suspensions.set(email, [...(suspensions.get(email) ?? []), { id, mark }]);
  };

  const runner = (by: ClientPerson, number: number) => {
    const forms = new Map<string, Opened>();
    let nth = 0;
    const nameNext = () => `c${number}n${(nth += 1)}`;
    const reading = (pick: number): Reading => ({
      axle: AXLES[pick % AXLES.length] ?? 'STEER',
      attribute: 'Empty Weight',
      value: String(1000 * (number + 1) + (nth += 1)),
      dueOn: dueOf(pick),
    });
    const dueOf = (pick: number) => (pick === 0 ? null : addDays(today, 300 + pick));

    const onVehicle = async ({ what, on, pick, fresh, twice }: VehicleStep): Promise<void> => {
      const rego = regos[on % regos.length];
      if (rego === undefined) return;
      const times = twice ? 2 : 1;
      const key = randomUUID();
      const moment = (at ?? 0) + (pick % 3) - 1;
      switch (what) {
        case 'open': {
          const form = await open(by, rego);
          if (form !== undefined) forms.set(rego, form);
          return;
        }
        case 'register': {
          const given = { mark: nameNext(), notes: NOTES[pick] ?? '', validated: fresh, dueOn: dueOf(pick) };
          await call(by, { do: 'register', rego, ...given, key }, times);
          return;
        }
        case 'update': {
          const form = fresh ? await open(by, rego) : (forms.get(rego) ?? (await open(by, rego)));
          if (form === undefined) return;
          forms.set(rego, form);
          // The one changes what it is about, another what an admin decides; sometimes neither.
          const dueOn = pick === 3 ? form.dueOn : dueOf(pick);
          const changed = pick % 2 === 0 ? { notes: nameNext() } : { dueOn, validated: pick === 1 };
          const { notes, validated, dueOn: before } = form;
          const given = { notes, validated, dueOn: before, ...changed };
          await call(by, { do: 'update', rego, form, key, ...given }, times);
          return;
        }
        case 'remove':
          await call(by, { do: 'remove', rego, key }, times);
          return;
        case 'restore': {
          const known = seen.get(rego) ?? [];
          const one = known[pick % Math.max(1, known.length)];
          if (one !== undefined) await call(by, { do: 'restore', rego, id: one.id, mark: one.mark, key }, times);
          return;
        }
        case 'validate':
        case 'withdraw':
          await call(by, { do: 'decide', rego, validated: what === 'validate', reason: nameNext(), key }, times);
          return;
        case 'record':
          await call(by, { do: 'record', rego, reading: reading(pick), at: moment, key }, times);
          return;
        case 'correct': {
          const ids =
            at === undefined ? await stage.readingIds(rego) : [0, 1, 2].map((more) => at + more - (fresh ? 1 : 0));
          const id = ids[pick % Math.max(1, ids.length)];
          if (id === undefined) return;
          const given = { reading: reading(on), reason: 'misread', at: moment, key };
          await call(by, { do: 'correct', rego, id, ...given }, times);
        }
      }
    };

    const profiles = new Map<string, number>();
    const onPeople = async ({ what, on, pick, fresh, twice }: PeopleStep): Promise<void> => {
      const applicant = applicants[on % applicants.length] ?? '';
      const [email, recordId] = [...cast.admins][on % cast.admins.size] ?? ['', ''];
      const times = twice ? 2 : 1;
      const key = randomUUID();
      switch (what) {
        case 'request':
          await call(by, { do: 'request', email: applicant, mark: nameNext(), key }, times);
          return;
        case 'approve':
          await call(by, { do: 'approve', email: applicant, key }, times);
          return;
        case 'turn down':
        case 'remove technician':
          await call(by, { do: what, email: applicant, key }, times);
          return;
        case 'suspend':
          await suspend(by, applicant, pick, times);
          return;
        case 'lift': {
          if (!suspensions.has(applicant)) await suspend(by, applicant, pick);
          const known = suspensions.get(applicant) ?? [];
          const one = fresh ? known.at(-1) : known[pick % Math.max(1, known.length)];
          if (one === undefined) return;
          await call(by, { do: what, email: applicant, from: addDays(today, on), ...one, key }, times);
          return;
        }
        case 'add admin':
          await call(by, { do: what, email: fresh ? applicant : email, mark: nameNext(), key }, times);
          return;
        case 'remove admin':
          await call(by, { do: what, email: pick === 0 ? applicant : email, key }, times);
          return;
        case 'open profile':
        case 'update profile': {
          if (fresh || what === 'open profile' || !profiles.has(email)) {
            const { outcome } = await call(by, { do: 'open profile', email, recordId });
            profiles.set(email, Number(outcome.version ?? 1));
          }
          const version = profiles.get(email) ?? 1;
          const address = pick === 0 ? '' : nameNext();
          if (what === 'update profile') await call(by, { do: what, email, recordId, version, address, key }, times);
        }
      }
    };
    return (step: ProgramStep) => (step.about === 'vehicle' ? onVehicle(step) : onPeople(step));
  };

  const [first] = cast.clients;
  if (first === undefined) throw new Error('a history needs clients');
  const prepare = runner(first, CLIENTS);
  const plainly = { pick: 1, fresh: true, twice: false, wait: 0 };
  for (const [on, beginning] of program.vehicles.entries()) {
    if (beginning === 'new') continue;
    await prepare({ about: 'vehicle', what: 'register', on, ...plainly });
    await prepare({ about: 'vehicle', what: 'open', on, ...plainly });
    if (beginning === 'used') await prepare({ about: 'vehicle', what: 'record', on, ...plainly });
    if (beginning === 'removed') await prepare({ about: 'vehicle', what: 'remove', on, ...plainly });
  }
  for (const [on, beginning] of program.applicants.entries()) {
    if (beginning === 'new') continue;
    await prepare({ about: 'people', what: 'request', on, ...plainly });
    if (beginning === 'used') await prepare({ about: 'people', what: 'approve', on, ...plainly });
    if (beginning === 'removed') await prepare({ about: 'people', what: 'turn down', on, ...plainly });
  }
  await Promise.all(
    program.clients.map(async (steps, nth) => {
      const by = cast.clients[nth];
      if (by === undefined) throw new Error('there are more clients than people');
      const run = runner(by, nth);
      for (const step of steps) {
        if (step.wait > 0) await new Promise((resolve) => setTimeout(resolve, step.wait));
        await run(step);
      }
    }),
  );
  return calls;
}

function openedOf(outcome: Outcome, id: string): Opened {
  const { mark, version, notes, dueOn, validated } = outcome;
  return {
    id,
    mark: String(mark),
    version: Number(version),
    notes: String(notes),
    dueOn: dueOn === null || dueOn === undefined ? null : String(dueOn),
    validated: validated === true,
  };
}

function failure(error: unknown): Outcome {
  return { error: error instanceof Error ? error.message : String(error) };
}
