// Lets the eight clients of a program loose on a registry, and writes down what each did, when, and what came of it.
import { randomUUID } from 'node:crypto';
import type { Call, Operation, Outcome } from './operation.ts';
import { policySteps } from './policy-steps.ts';
import { referenceSteps, type Withdrawals } from './reference-steps.ts';
import { peopleSteps, type Removals, type Suspensions } from './people-steps.ts';
import type { Answer, Perform } from './perform.ts';
import { CLIENTS, type Program, type ProgramStep } from './program.ts';
import type { LookUp } from './look-up.ts';
import { vehicleSteps, type Seen, type Trucks } from './vehicle-steps.ts';
import { dayOf } from './vehicle-state.ts';
import type { Cast, ClientPerson } from './world.ts';

/**
 * The regos and addresses of one history, named so that no other history has them. All readings are of the moment `at`
 * or beside it, so that their ids meet, or hours later; without one, of the server's clock.
 */
export type Stage = { regos: readonly string[]; applicants: readonly string[]; cast: Cast; at?: number };
type Staged = Stage & { look: LookUp };

/** What a client works with. */
export type ClientTools = {
  by: ClientPerson;
  call: (operation: Operation, times?: number) => Promise<Answer>;
  /** Another admin does it, if there is one. */
  callByOther: (operation: Operation) => Promise<void>;
  nameNext: () => string;
  newKey: () => string;
  stage: Staged;
  /** What is there before the clients begin. */
  isPreparing: boolean;
  today: string;
};

export async function runProgram(program: Program, stage: Staged, perform: Perform): Promise<Call[]> {
  const calls: Call[] = [];
  let clock = 0;
  const { cast, at } = stage;
  const seen: Seen = new Map();
  const trucks: Trucks = new Map();
  const suspensions: Suspensions = new Map();
  const removals: Removals = new Map();
  const withdrawals: Withdrawals = [];
  const today = dayOf(at ?? Date.now());

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

  const runner = (by: ClientPerson, number: number) => {
    let nth = 0;
    const tools: ClientTools = {
      by,
      call: (operation, times) => call(by, operation, times),
      async callByOther(operation) {
        const other = cast.clients.find(({ client }) => client.role === 'admin' && client.email !== by.client.email);
        if (other !== undefined) await call(other, operation);
      },
      nameNext: () => `c${number}n${(nth += 1)}`,
      newKey: randomUUID,
      stage,
      isPreparing: number === CLIENTS,
      today,
    };
    const onVehicle = vehicleSteps(tools, seen, trucks);
    const onPeople = peopleSteps(tools, suspensions, removals);
    const onPolicy = policySteps(tools);
    const onReference = referenceSteps(tools, withdrawals);
    return (step: ProgramStep) => {
      switch (step.about) {
        case 'vehicle':
          return onVehicle(step);
        case 'people':
          return onPeople(step);
        case 'policy':
          return onPolicy(step);
        case 'reference':
          return onReference(step);
      }
    };
  };

  const [first] = cast.clients;
  if (first === undefined) throw new Error('a history needs clients');
  const prepare = runner(first, CLIENTS);
  const plainly = { pick: 1, kind: 0, late: 0, fresh: true, twice: false, wait: 0 };
  for (const [on, beginning] of program.vehicles.entries()) {
    if (beginning === 'new') continue;
    const what = beginning === 'imported' ? 'import' : 'register';
    await prepare({ about: 'vehicle', what, on, ...plainly, pick: beginning === 'imported' ? 0 : 1 });
    await prepare({ about: 'vehicle', what: 'open', on, ...plainly });
    if (beginning === 'used') await prepare({ about: 'vehicle', what: 'set', on, ...plainly });
    if (beginning === 'twice') {
      // The older one is due later.
      await prepare({ about: 'vehicle', what: 'set', on, ...plainly, fresh: false });
      await prepare({ about: 'vehicle', what: 'visit', on, ...plainly, pick: 2 });
    }
    if (beginning === 'read') await prepare({ about: 'vehicle', what: 'visit', on, ...plainly });
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
  // Whatever is in force by now is applied in the end.
  if (cast.reference !== null) await prepare({ about: 'reference', what: 'apply withdrawals', on: 0, ...plainly });
  return calls;
}

function failure(error: unknown): Outcome {
  return { error: error instanceof Error ? error.message : String(error) };
}
