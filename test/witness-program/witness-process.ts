// Runs the witness as it is built, or a copy of it, as a process of its own, and asks it.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { WITNESS } from '#test/built-programs.ts';
import { formatVerifierKey, type VerifierKey } from '#app/tlog/signed-note.ts';

export const WITNESS_NAME = 'witness.example/w1';

export type Ended = { code: number | null; signal: NodeJS.Signals | null; output: string; errors: string };

/** Runs a witness's command to its end. */
export function runWitness(...args: string[]): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [WITNESS, ...args], (_error, output, errors) =>
      resolve({ code: child.exitCode, signal: child.signalCode, output, errors }),
    );
  });
}

/** Makes a key and the settings in `folder`. Returns the verifier key of the witness. */
export async function setUpWitness(
  folder: string,
  logs: readonly VerifierKey[],
  more: readonly string[] = [],
): Promise<string> {
  const { output } = await runWitness('--new-key', WITNESS_NAME, path.join(folder, 'key'));
  await writeSettings(folder, logs, more);
  return output.trim();
}

export async function writeSettings(
  folder: string,
  logs: readonly VerifierKey[],
  more: readonly string[] = [],
): Promise<void> {
  const lines = ['# a test', 'key key', 'state state', 'listen 127.0.0.1:0', ...more];
  for (const key of logs) lines.push(`log ${formatVerifierKey(key)}`);
  await writeFile(path.join(folder, 'witness.conf'), `${lines.join('\n')}\n`);
}

export type Options = { script?: string; node?: readonly string[]; env?: NodeJS.ProcessEnv };

export class WitnessProcess {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves to the address; rejects when the witness ends before it listens. */
  readonly address: Promise<string>;
  #output = '';
  #errors = '';

  constructor(folder: string, { script = WITNESS, node = [], env = {} }: Options = {}) {
    this.child = spawn(process.execPath, [...node, script, path.join(folder, 'witness.conf')], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
    });
    this.ended = new Promise((resolve) => {
      this.child.on('close', (code, signal) => resolve({ code, signal, output: this.#output, errors: this.#errors }));
    });
    this.address = new Promise((resolve, reject) => {
      this.child.stderr?.on('data', (part) => (this.#errors += part));
      this.child.stdout?.on('data', (part) => {
        this.#output += part;
        const port = /"ready":\{[^}]*"port":(\d+)/.exec(this.#output)?.[1];
        if (port !== undefined) resolve(`http://127.0.0.1:${port}`);
      });
      void this.ended.then(({ code, errors }) => reject(new Error(`the witness ended with ${code}: ${errors}`)));
    });
    // One that is killed before it listens is nobody's surprise.
    this.address.catch(() => {});
  }

  get output(): string {
    return this.#output;
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<Ended> {
    this.child.kill(signal);
    return this.ended;
  }

  async get(place: string): Promise<Response> {
    return fetch(`${await this.address}${place}`);
  }

  async submit(body: string | Uint8Array<ArrayBuffer>, prefix = ''): Promise<Answer> {
    const response = await fetch(`${await this.address}${prefix}/add-checkpoint`, { method: 'POST', body });
    return { status: response.status, text: await response.text(), headers: response.headers };
  }
}

export type Answer = { status: number; text: string; headers: Headers };

/** Where the witness shows its last checkpoint of a log. */
export function monitoringPath(origin: string): string {
  return `/${createHash('sha256').update(origin).digest('hex')}/checkpoint`;
}
