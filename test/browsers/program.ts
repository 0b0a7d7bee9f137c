// Programs that a test starts, each with all that it starts itself, and ends with itself.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

const READY_WITHIN_MS = 90_000;

export type Program = {
  /** What its first words that match hold in parentheses. */
  said: string;
  stop: () => Promise<void>;
};

/**
 * Starts a program in a home folder of its own, which `args` name as HOME. Returns once it writes `says`. Throws with
 * what it wrote when it ends before.
 */
export async function startProgram(
  command: string,
  args: readonly string[],
  { says, env = {} }: { says: RegExp; env?: NodeJS.ProcessEnv },
): Promise<Program> {
  const home = await mkdtemp(path.join(tmpdir(), 'browser-'));
  const child = spawn(
    command,
    args.map((arg) => arg.replaceAll('HOME', home)),
    {
      env: { ...process.env, HOME: home, XDG_RUNTIME_DIR: home, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    },
  );
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const kill = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  };
  process.once('exit', kill);
  let output = '';
  const said = await new Promise<string>((resolve, reject) => {
    const failed = (why: string) => reject(new Error(`${command} ${why}: ${output.slice(-2000)}`));
    const timer = setTimeout(() => failed('is not ready in time'), READY_WITHIN_MS);
    const hear = (bytes: Buffer) => {
      output += bytes.toString();
      const found = says.exec(output)?.[1];
      if (found === undefined) return;
      clearTimeout(timer);
      resolve(found);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.once('error', ({ message }) => failed(message));
    void ended.then(() => failed('ended'));
  });
  return {
    said,
    async stop() {
      kill();
      await ended;
      process.off('exit', kill);
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
