// npm run create-admin -- --email E --name N: an administrator from the command line, beside a running server too. The
// password comes from ADMIN_PASSWORD, else from a prompt.
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { newAdminSchema } from '#app/sign-in/sign-in-entry.ts';
import { createAdmin } from '#app/sign-in/set-up-registry.server.ts';
import { explainStartError } from '#app/platform/services/start-errors.server.ts';
import { openRegistry } from './open-registry.ts';

const USAGE = 'npm run create-admin -- --email E --name N [--must-change]';

const input = readInput();
try {
  const password = process.env['ADMIN_PASSWORD'] || (await askPassword());
  const parsed = newAdminSchema.safeParse({ ...input, password });
  if (!parsed.success) fail(z.prettifyError(parsed.error).replaceAll(/^✖ /gm, ''));
  const { db, config, close } = await openRegistry(process.env);
  const answer = await createAdmin({ db, config }, { ...parsed.data, mustChange: input.mustChange }).finally(close);
  if (!answer.created) fail(answer.message);
  process.stdout.write(`${parsed.data.email} can now sign in at /login as an administrator.\n`);
} catch (error) {
  fail(explainStartError(error, 'Not created'));
}

function readInput(): { email: string; name: string; mustChange: boolean } {
  try {
    const { values } = parseArgs({
      options: { email: { type: 'string' }, name: { type: 'string' }, 'must-change': { type: 'boolean' } },
    });
    if (values.email === undefined || values.name === undefined) fail(`Give an email address and a name: ${USAGE}`);
    return { email: values.email, name: values.name, mustChange: values['must-change'] === true };
  } catch (error) {
    return fail(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
  }
}

async function askPassword(): Promise<string> {
  if (!process.stdin.isTTY) fail('The password cannot be asked for here. Set ADMIN_PASSWORD.');
  // What is typed is not shown: the prompt's echo goes nowhere.
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const prompt = createInterface({ input: process.stdin, output: silent, terminal: true });
  prompt.on('SIGINT', () => fail('\nStopped.'));
  process.stdout.write('Password: ');
  const password = await prompt.question('');
  prompt.close();
  process.stdout.write('\n');
  return password;
}

function fail(sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}
