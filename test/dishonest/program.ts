// What two admins, the technicians in their pocket and the accounts that they make try, one after the other.

import type { Random } from '#test/random.ts';

export const ACTS = [
  'record honestly',
  'record honestly on the bridge',
  'record a lighter truck',
  'record junk',
  'record the same again',
  'record one group',
  'record for too long',
  'record without a due date',
  'record late',
  'record a replaced sensor',
  'record singles',
  'send a captured visit',
  'accept',
  'set aside',
  'tick',
  'untick',
  'set the due date',
  'correct the due date',
  'correct a weight',
  'change the VIN',
  'take a group off the list',
  'remove the truck',
  'restore the truck',
  'register it again',
  'import it',
  'withdraw the bridge',
  'confirm the withdrawal',
  'propose the lift',
  'confirm the lift',
  'loosen the rules',
  'tighten the rules',
  'confirm the rules',
  'add an admin',
  'let a technician in',
  'remove an admin',
  'confirm a removal',
  'take a removal back',
  'let time pass',
] as const;
export type Act = (typeof ACTS)[number];

/** Of those that make the others worth trying, more. */
const OFTEN: readonly Act[] = [
  ...ACTS,
  'accept',
  'accept',
  'accept',
  'record a lighter truck',
  'record a lighter truck',
  'record honestly',
  'correct the due date',
  'let time pass',
  'let time pass',
  'confirm the rules',
];

/**
 * `by`: the place of the one who does it; who is not there, or no more, does nothing. `nth`: how, as far as the act has
 * a choice.
 */
export type Step = { act: Act; by: number; nth: number };
/**
 * `second`: for how many days the second admin is one; null: there is none. `isWatched`: an honest one of years is
 * there.
 */
export type Program = { second: number | null; isWatched: boolean; steps: Step[] };

// The two admins, a technician, and who comes later.
const PLACES = [0, 0, 0, 1, 1, 1, 2, 2, 3, 4] as const;

export function makeProgram(random: Random, length: number): Program {
  const second = [3, 400, 400, null][random(4)] ?? null;
  return {
    second,
    isWatched: random(2) === 0,
    steps: Array.from({ length }, () => ({
      act: OFTEN[random(OFTEN.length)] ?? 'accept',
      by: PLACES[random(PLACES.length)] ?? 0,
      nth: random(1000),
    })),
  };
}

/** The fewest steps that still fail: whole parts are left out first, then single steps. */
export async function shortest(program: Program, fails: (shorter: Program) => Promise<boolean>): Promise<Program> {
  let found = program;
  for (let size = Math.ceil(found.steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
    for (let from = 0; from < found.steps.length;) {
      const steps = [...found.steps.slice(0, from), ...found.steps.slice(from + size)];
      const shorter = { ...found, steps };
      if (await fails(shorter)) found = shorter;
      else from += size;
    }
  return found;
}
