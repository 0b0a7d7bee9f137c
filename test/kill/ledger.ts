// What clients wrote, what they were told of it, and what each write must have left in the registry.
import type { DemoRandom } from '#commands/demo/random.ts';
import type { State } from './state.ts';

/** What a client sees of an answer. */
export type Answer = { status: number; location: string; cookie: string; body: string };
/** Fields of one record as a write leaves them: later writes replace them. */
export type Left = { of: string; fields: Readonly<Record<string, string | boolean | null>> };

export type Write = {
  kind: string;
  /** Names it, and is found nowhere else in the registry. */
  mark: string;
  /** Sends the same form each time it is called. */
  send: (signal?: AbortSignal) => Promise<Answer>;
  /** Whether the answer says that it is done. */
  isDone: (answer: Answer) => boolean;
  /** How often each part of it stands in the registry: all once or, if nobody was told of it, all not at all. */
  parts: (state: State) => Readonly<Record<string, number>>;
  left?: readonly Left[];
  /** 'same': the form has a key, so sent again it changes nothing and is answered alike. */
  again: 'same' | 'harmless' | 'never';
  /** Called once, when the client knows that it is done. */
  onDone?: (answer: Answer) => void;
};

type Sent = Write & { answer: Answer | undefined; isGone?: boolean };

const LOSES_ANSWER = 0.04;
const LOST_WITHIN_MS = 25;
const DONE_WITHIN_MS = 30_000;
const TRY_AGAIN_MS = 250;

export class Ledger {
  readonly writes: Sent[] = [];
  #findings: string[] = [];
  /** Set while something may be down: what fails then is no finding. */
  mayFail = false;
  acknowledged = 0;
  retried = 0;
  readonly #told = new Set<string>();
  readonly #random: DemoRandom;

  constructor(random: DemoRandom) {
    this.#random = random;
  }

  /** Told once: what is wrong stays wrong. */
  find(sentence: string): void {
    if (this.#told.has(sentence)) return;
    this.#told.add(sentence);
    this.#findings.push(sentence);
  }

  /** What was found since the last time. */
  take(): string[] {
    return this.#findings.splice(0);
  }

  /** Sends a new write. False: the client was not told that it is done. */
  async perform(write: Write): Promise<boolean> {
    const sent: Sent = { ...write, answer: undefined };
    this.writes.push(sent);
    // The line breaks, and the client sends the same form again while the first may still be on its way.
    if (write.again === 'same' && this.#random.between(0, 1) < LOSES_ANSWER)
      await write.send(AbortSignal.timeout(this.#random.whole(1, LOST_WITHIN_MS))).catch(() => undefined);
    return this.#insist(sent);
  }

  /** The writes of which nobody was told. */
  get open(): Sent[] {
    return this.writes.filter(({ answer, isGone }) => answer === undefined && isGone !== true);
  }

  /** Anybody who sent these can send nothing more. */
  endsWith(email: string): void {
    for (const write of this.writes) if (write.mark.startsWith(`${email} `)) write.again = 'never';
  }

  /** No longer compared, as another write took it back. */
  forget(kind: string, mark: string): void {
    for (const write of this.writes) if (write.kind === kind && write.mark === mark) write.isGone = true;
  }

  /** Sends again what nobody was told of, and `sample` of what they were told of. */
  async retry(sample: number): Promise<void> {
    // Each is of another workload, which waits for it.
    await Promise.all(
      this.open.map(async (write) => {
        this.retried += 1;
        if (write.again === 'never') write.isGone = true;
        else if (!(await this.#insist(write)))
          this.find(`${name(write)}: sent again after the restart, it is not done.`);
      }),
    );
    const told = this.writes.filter(({ again, answer }) => again === 'same' && answer !== undefined);
    for (let n = 0; n < Math.min(sample, told.length); n += 1) {
      // The newest are where a kill may have reached.
      const write = told[told.length - 1 - this.#random.whole(0, Math.min(told.length - 1, n < sample / 2 ? 9 : 1e6))];
      if (write === undefined) continue;
      this.retried += 1;
      await this.#insist(write);
    }
  }

  // A busy registry may answer 503: anybody who is told to try again in a moment does, while nothing is down.
  async #insist(write: Sent): Promise<boolean> {
    const deadline = Date.now() + DONE_WITHIN_MS;
    for (;;) {
      const answer = await write.send().catch((error: unknown) => String(error));
      if (typeof answer !== 'string' && answer.status < 500) return this.#judge(write, answer);
      if (this.mayFail) return false;
      if (write.again === 'never') {
        write.isGone = true;
        return false;
      }
      if (Date.now() > deadline) {
        const why = typeof answer === 'string' ? answer : answer.status;
        this.find(`${name(write)}: fails for ${DONE_WITHIN_MS / 1000} s, and nothing was killed: ${why}.`);
        return false;
      }
      await new Promise((resolve) => setTimeout(resolve, TRY_AGAIN_MS));
    }
  }

  #judge(write: Sent, answer: Answer): boolean {
    if (!write.isDone(answer)) {
      this.find(`${name(write)}: refused with ${answer.status} ${answer.location} ${reasonIn(answer.body)}`);
      return false;
    }
    const before = write.answer;
    if (before === undefined) {
      write.answer = answer;
      this.acknowledged += 1;
      write.onDone?.(answer);
    } else if (before.status !== answer.status || pathOf(before) !== pathOf(answer))
      this.find(
        `${name(write)}: answered ${before.status} ${before.location}, then ${answer.status} ${answer.location}.`,
      );
    return true;
  }

  /** Compares every write with what is there. Tells each difference. */
  compare(state: State): void {
    const left = new Map<string, Record<string, string | boolean | null>>();
    for (const write of this.writes) {
      if (write.isGone === true) continue;
      const parts = Object.entries(write.parts(state));
      const isThere = parts.every(([, n]) => n === 1);
      const isNot = parts.every(([, n]) => n === 0);
      if (!isThere && (write.answer !== undefined || !isNot))
        this.find(
          `${name(write)}: ${write.answer === undefined ? 'nobody was told of it' : 'it was acknowledged'}, and it is there as ${parts.map(([part, n]) => `${part} ${n}`).join(', ')}.`,
        );
      if (isThere || write.answer !== undefined)
        for (const { of, fields } of write.left ?? []) left.set(of, { ...left.get(of), ...fields });
    }
    for (const [of, fields] of left) {
      const found = state.fieldsOf(of);
      for (const [field, value] of Object.entries(fields))
        if (found?.[field] !== value)
          this.find(`${of}: ${field} is ${String(found?.[field])}, and was left as ${String(value)}.`);
    }
  }
}

// What follows the path says what to do next, which may be something else by now.
const pathOf = ({ location }: Answer) => location.split('?')[0];
const name = ({ kind, mark }: Write) => `${kind} (${mark})`;

function reasonIn(body: string): string {
  return /Error[^<]{0,200}/.exec(body)?.[0] ?? body.replaceAll(/<[^>]*>|\s+/g, ' ').slice(0, 200);
}
