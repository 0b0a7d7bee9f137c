// Kills a witness at random moments while four clients submit two forks of one log to it, and judges all that it
// cosigned.
import type { SigningKey } from '#app/tlog/sign-note.server.ts';
import { cosignedAt, textOf } from './cosignature.ts';
import { ForkingTree, formatRequest } from './forking-tree.ts';
import { monitoringPath, type Options, WitnessProcess } from './witness-process.ts';

/** What the witness cosigned, as a client received it. */
type Cosigned = { tree: ForkingTree; size: number; root: string; time: number; round: number };
export type Rounds = { cosigned: Cosigned[]; answers: Map<number, number>; offences: string[] };

type Witnessed = { folder: string; key: SigningKey; vkey: string; options: Options };

/** `kills` rounds. Every offence is a sentence; an honest witness gives none. */
export async function killedRounds(of: Witnessed, kills: number): Promise<Rounds> {
  const rounds: Rounds = { cosigned: [], answers: new Map(), offences: [] };
  // Of each root that was submitted, the tree and its size: a kill may fall between storing and answering.
  const submitted = new Map<string, { tree: ForkingTree; size: number }>();
  let largest = 0;
  for (let round = 1; round <= kills + 1; round += 1) {
    const witness = new WitnessProcess(of.folder, of.options);
    // Some die as they start, most in the midst of work, however slow this machine is.
    const begins = round % 4 === 0 ? Promise.resolve() : answered(witness, rounds, Math.floor(Math.random() * 30));
    const killed = round <= kills ? killAfter(witness, begins) : undefined;
    const address = await witness.address.catch(() => undefined);
    if (address !== undefined) {
      const last = await lastHead(witness, of.key.verifier.name).catch(() => undefined);
      if (last !== undefined) {
        largest = Math.max(0, ...rounds.cosigned.slice(-200).map(({ size }) => size), largest);
        if (last.size < largest) rounds.offences.push(`Restarted at ${last.size}, after ${largest} was cosigned.`);
        const known = submitted.get(last.root);
        const base = known === undefined ? new ForkingTree() : known.tree.fork(known.size);
        await fourClients({ ...of, witness, round, rounds, submitted, base, until: killed ?? shortWhile() });
      }
    }
    await killed;
    const { code, signal, errors } = await witness.stop();
    if (signal !== 'SIGKILL' && code !== 0) rounds.offences.push(`Round ${round} ended with ${code}: ${errors}`);
  }
  return { ...rounds, offences: [...rounds.offences, ...forksIn(rounds.cosigned)] };
}

const shortWhile = () => new Promise<void>((resolve) => setTimeout(resolve, 300));

const POLL_MS = 2;
const ANSWERS_WITHIN_MS = 2000;

// When so many more submissions were answered; of two forks that both wait, or a witness that is slow, after a while.
async function answered(witness: WitnessProcess, { answers }: Rounds, more: number): Promise<void> {
  await witness.address;
  const count = () => [...answers.values()].reduce((sum, one) => sum + one, 0);
  const [enough, until] = [count() + more, Date.now() + ANSWERS_WITHIN_MS];
  while (count() < enough && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
}

async function killAfter(witness: WitnessProcess, begins: Promise<unknown>): Promise<void> {
  await begins.catch(() => {});
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 20));
  await witness.stop('SIGKILL');
}

async function lastHead(witness: WitnessProcess, origin: string): Promise<{ size: number; root: string }> {
  const response = await witness.get(monitoringPath(origin));
  const [, size = '0', root = ''] = response.status === 404 ? [] : (await response.text()).split('\n');
  return { size: Number(size), root };
}

type Clients = Witnessed & {
  witness: WitnessProcess;
  round: number;
  rounds: Rounds;
  submitted: Map<string, { tree: ForkingTree; size: number }>;
  base: ForkingTree;
  until: Promise<unknown>;
};

// Two forks of what the witness signed last, two clients for each.
async function fourClients(clients: Clients): Promise<void> {
  const { base, until } = clients;
  let over = false;
  void until.then(() => (over = true));
  const forks = [base.fork().grow(1), base.fork().grow(1)];
  const run = async (tree: ForkingTree) => {
    for (let old = base.size; !over;) {
      const answer = await submit(clients, tree, old).catch(() => undefined);
      if (answer === undefined) return;
      if (answer.status === 200) {
        old = answer.size;
        // As a log does, so that the other fork can keep up with the size and is judged by its tree.
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 10));
        if (tree.size - old < 3) tree.grow(1 + Math.floor(Math.random() * 2));
      } else if (answer.status === 409 && /^\d+\n$/.test(answer.text)) {
        // The other client of this fork was before us, or the other fork is signed: keep up with it, and try on.
        // Without a size in it, the answer says that the other fork has another root of this size: it will grow.
        old = Number(answer.text);
        if (tree.size < old) tree.grow(old + 1 - tree.size);
      }
    }
  };
  await Promise.all(forks.flatMap((tree) => [run(tree), run(tree)]));
}

async function submit(
  { witness, key, vkey, round, rounds, submitted }: Clients,
  tree: ForkingTree,
  old: number,
): Promise<{ status: number; text: string; size: number }> {
  const { size } = tree;
  const note = await tree.note(key, size);
  const [, , root = ''] = note.split('\n');
  submitted.set(root, { tree, size });
  const { status, text } = await witness.submit(formatRequest(old, await tree.proof(old, size), note));
  rounds.answers.set(status, (rounds.answers.get(status) ?? 0) + 1);
  if (status === 200) {
    const time = cosignedAt(text, textOf(note), vkey);
    if (time === undefined) rounds.offences.push(`The cosignature of ${size} is wrong.`);
    rounds.cosigned.push({ tree, size, root, time: time ?? 0, round });
  }
  return { status, text, size };
}

// All that was cosigned must lie on one line: of one size one root, each tree begins with the one before.
function forksIn(cosigned: readonly Cosigned[]): string[] {
  const offences: string[] = [];
  const bySize = cosigned.toSorted((a, b) => a.size - b.size);
  for (const [at, next] of bySize.entries()) {
    const before = bySize[at - 1];
    if (before === undefined) continue;
    const where = `${before.size} of round ${before.round} and ${next.size} of round ${next.round}`;
    if (before.size === next.size && before.root !== next.root) offences.push(`Two roots of one size: ${where}.`);
    else if (!next.tree.extends(next.size, before.tree, before.size)) offences.push(`Not one line: ${where}.`);
    if (next.size > before.size && next.time < before.time) offences.push(`Time went back: ${where}.`);
  }
  return offences;
}
