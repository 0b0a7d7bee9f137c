// Two witnesses of the demo's own log, so that a visitor sees what they do. Each is the program that anybody runs, in a
// thread that ends with the demo. They are its own, and /log/witnesses says so.
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { readConfig } from '#app/platform/process/config.server.ts';
import { unlessMissing } from '#app/platform/process/missing-file.server.ts';
import { generateSigningKey, parseSigningKey } from '#app/tlog/sign-note.server.ts';
import { COSIGNATURE, formatVerifierKey } from '#app/tlog/signed-note.ts';
import { logKey } from '#app/transparency-log/log-key.server.ts';

const PROGRAM = path.resolve(import.meta.dirname, '../witness.ts');
const NAMES = ['demo-north', 'demo-south'] as const;

/** Starts them. Returns the policy file that names them. */
export async function startWitnesses(env: NodeJS.ProcessEnv): Promise<string> {
  const config = readConfig(env);
  const folder = path.join(config.dataDir, 'witnesses');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const log = formatVerifierKey((await logKey(config)).verifier);
  const lines: string[] = [];
  for (const name of NAMES) {
    const key = await keyOf(path.join(folder, `${name}.key`), name);
    const port = await freePort();
    const settings = path.join(folder, `${name}.conf`);
    await writeFile(settings, `key ${name}.key\nstate ${name}.state\nlisten 127.0.0.1:${port}\nlog ${log}\n`);
    const worker = new Worker(PROGRAM, { argv: [settings], stdout: true });
    worker.unref();
    worker.on('error', (error) => process.stderr.write(`The demo's witness ${name} ended: ${error.message}\n`));
    lines.push(`witness ${name} ${key} http://127.0.0.1:${port}`);
  }
  const policy = path.join(folder, 'policy');
  await writeFile(policy, `${lines.join('\n')}\ngroup demo all ${NAMES.join(' ')}\nquorum demo\n`);
  return policy;
}

// The public half of a key that is made at the first start.
async function keyOf(file: string, name: string): Promise<string> {
  const known = await unlessMissing(readFile(file, 'utf8'));
  const text = known ?? `${await generateSigningKey(`localhost/${name}`, COSIGNATURE)}\n`;
  if (known === undefined) await writeFile(file, text, { mode: 0o600 });
  return formatVerifierKey((await parseSigningKey(text, COSIGNATURE)).verifier, COSIGNATURE);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
