// Runs rounds of kills, with a new registry every twenty rounds, because comparisons slow down as the log grows.
import { KilledRegistry, type Round } from './killed-registry.ts';

export const ROUNDS_A_REGISTRY = 20;

export type Totals = {
  rounds: number;
  kills: number;
  acknowledged: number;
  /** Writes that had no answer yet at the kill. */
  open: number;
  fewestAcknowledged: number;
  /** The number of kills in each moment. */
  moments: Record<string, number>;
  victims: Record<string, number>;
  imports: number;
  notes: number;
  findings: number;
};

/** Runs the rounds. The same seed gives the same rounds. `tell` gets a line for each round and each finding. */
export async function runRounds(rounds: number, seed: string, tell: (line: string) => void): Promise<Totals> {
  const totals: Totals = {
    rounds: 0,
    kills: 0,
    acknowledged: 0,
    open: 0,
    fewestAcknowledged: Infinity,
    moments: {},
    victims: {},
    imports: 0,
    notes: 0,
    findings: 0,
  };
  const tellFindings = (where: string, findings: readonly string[]) => {
    totals.findings += findings.length;
    for (const finding of findings) tell(`FOUND seed ${seed}, ${where}: ${finding}`);
  };
  while (totals.rounds < rounds) {
    const from = totals.rounds;
    let killed: KilledRegistry | undefined;
    try {
      const opened = await KilledRegistry.open(`${seed} from round ${from}`);
      killed = opened.killed;
      totals.kills += opened.killsWhileStarting;
      for (let n = 0; n < ROUNDS_A_REGISTRY && totals.rounds < rounds; n += 1) {
        const began = performance.now();
        const round = await killed.round();
        add(totals, round);
        tell(
          `${totals.rounds}: ${round.victim} killed at '${round.moment}'${round.came ? '' : ' (which did not come)'}, ${round.acknowledged} acknowledged, ${round.open} open, ${round.killsWhileStarting} killed starts, ${((performance.now() - began) / 1000).toFixed(1)} s`,
        );
        tellFindings(`round ${totals.rounds}`, round.findings);
      }
      tellFindings(`after round ${totals.rounds}`, await killed.compareAtTheEnd());
    } catch (error) {
      // An error that ends the run, for example if the registry does not start again.
      tellFindings(`round ${totals.rounds + 1}`, [error instanceof Error ? error.message : String(error)]);
      totals.rounds += 1;
    }
    const end = await killed?.close();
    totals.imports += end?.imports ?? 0;
    totals.notes += end?.notes ?? 0;
  }
  return totals;
}

function add(totals: Totals, { moment, victim, came, acknowledged, open, killsWhileStarting }: Round): void {
  totals.rounds += 1;
  totals.kills += 1 + killsWhileStarting;
  totals.acknowledged += acknowledged;
  totals.open += open;
  totals.fewestAcknowledged = Math.min(totals.fewestAcknowledged, acknowledged);
  if (came) totals.moments[moment] = (totals.moments[moment] ?? 0) + 1;
  totals.victims[victim] = (totals.victims[victim] ?? 0) + 1;
}
