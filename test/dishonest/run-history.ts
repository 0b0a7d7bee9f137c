// Runs a program of dishonest acts, and says which step broke a rule.
import { createTestServices, type TestServices } from '#test/services.ts';
import { begin, knownOf, learn, read } from './ground.ts';
import { IN_OFFICE } from './perform-office.ts';
import { ABOUT_TRUCK } from './perform-truck.ts';
import { DECIDING, RECORDING } from './perform-visits.ts';
import type { Program } from './program.ts';
import { offence, type Deed } from './rules.ts';

const PERFORM = { ...RECORDING, ...DECIDING, ...ABOUT_TRUCK, ...IN_OFFICE };

/** `improved`: by which deeds a verdict became better, as it may. */
export type Ran = { fault: string | undefined; improved: Deed['do'][]; lines: string[] };

/** In a registry of its own, so that it runs the same however often it runs. */
export async function runHistory(program: Program): Promise<Ran> {
  const services = await createTestServices({ RATE_LIMITS: 'off' });
  try {
    return await runIn(services, program);
  } finally {
    await services.stop();
  }
}

async function runIn(services: TestServices, program: Program): Promise<Ran> {
  const ground = await begin(services, program);
  const improved: Deed['do'][] = [];
  const lines: string[] = [];
  let before = await read(ground);
  for (const { act, by, nth } of program.steps) {
    const who = ground.actors[by];
    const removal = who === undefined ? null : (ground.people.get(who.personId)?.removal ?? null);
    // Anybody who was removed has no session.
    if (who === undefined || removal !== null) continue;
    if (before.vehicleId === '' && (act in RECORDING || act in DECIDING)) continue;
    const openBefore = { openRules: ground.openRules, openLift: ground.openLift };
    const deed = await PERFORM[act](ground, { who, nth, before });
    await learn(ground, { parts: [], faults: [] });
    const after = await read(ground);
    lines.push(`${who.name} (${nth}): ${act} [${deed.do}] ${after.until}`);
    const fault = offence({ ...knownOf(ground), ...openBefore }, deed, before, after);
    if (fault !== undefined) return { fault, improved, lines: [...lines, fault] };
    if (deed.do === 'confirm removal') {
      const removed = ground.people.get(deed.of);
      if (removed?.removal != null) removed.removal.stands = true;
    }
    if (after.until > before.until) improved.push(deed.do);
    before = after;
  }
  return { fault: undefined, improved, lines };
}
