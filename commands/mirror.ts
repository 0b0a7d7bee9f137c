// Follows a registry's transparency log from outside and keeps a whole copy of it. `npm run build:verifier` makes it
// one file, mirror.mjs, for any Node 20.
//
// It fetches what is new, hashes all of it, and compares the result with what the registry signed and with all that it
// has. The folder can be served by any web server, and audited like the log itself. Killed at any moment, it goes on
// where it was.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { equalBytes } from '#app/tlog/bytes.ts';
import { nodeSha256 as sha256 } from '#app/tlog/sha256.server.ts';
import { cosign, parseSigningKey } from '#app/tlog/sign-note.server.ts';
import { COSIGNATURE, formatVerifierKey, parseVerifierKey, type VerifierKey } from '#app/tlog/signed-note.ts';
import { openTiles } from '#app/tlog/tile-reader.ts';
import { CHECKPOINT_PATH, tilePath, WITNESSED_PATH } from '#app/tlog/tiles.ts';
import { rootOfEdge } from '#app/tlog/tree-edge.ts';
import { Tampered } from '#app/tlog/verification.ts';
import { parseWitnessPolicy, type WitnessPolicy } from '#app/tlog/witness-policy.ts';
import { isOld, witnessesOf } from '#app/tlog/witnessed.ts';
import { openLogSource } from '#app/transparency-log/log-source.server.ts';
import { holdName, writeDurably } from './durable-file.ts';
import {
  Alarm,
  copyNew,
  forked,
  isBegunBy,
  messageOf,
  openHead,
  type OwnWitness,
  readState,
  removePartial,
  type Settings,
  write,
  writeState,
} from './mirrored-copy.ts';

const USAGE = `node mirror.mjs https://registry.example/log/1 'registry.example/log/1+…' FOLDER
  --command CMD      runs CMD at an alarm, with the alarm on its standard input: "mail -s 'Log alarm' you@site.example"
  --stale MINUTES    alarm when the log has not changed for so long
  --policy FILE      alarm when the witnesses of this policy have not cosigned the log within a day
  --witness KEYFILE  cosigns the copy's checkpoint too (witness.mjs --new-key makes the key; it must have no other use)
  --serve HOST:PORT --every SECONDS      goes on: serves the copy, and follows the log again and again

It ends with 1 and says ALARM when the log has forked, was shortened or rewritten, has a gap, steps back in time, is stale or
lacks witnesses; with 2 when it could not tell (the registry cannot be reached); with 0 when all is well.`;
const DAY_S = 86_400;

function stop(code: number, words: string): never {
  process.stdout.write(`${words}\n`);
  process.exit(code);
}

const usage = (words: string) => stop(2, `${words}\n\n${USAGE}`);
const secondsNow = () => Math.floor(Date.now() / 1000);

// --- One look at the log

async function look(settings: Settings): Promise<string> {
  const { base, readLog, logKey, folder, policy, witness, staleSeconds } = settings;
  const state = readState(settings);
  const before = state.size;
  // The witnessed checkpoint first: the other one is then at least as new, unless a cache is in between.
  const witnessed = policy === undefined ? undefined : await readLog(WITNESSED_PATH);
  const note = (await readLog(CHECKPOINT_PATH)) ?? Promise.reject(new Error(`${base}/checkpoint was answered 404`));
  const head = await openHead(await note, logKey);
  const cosigned = witnessed === undefined ? head : await openHead(witnessed, logKey);
  try {
    if (head.size < state.size) throw new Alarm(`the log has ${head.size} entries, and had ${state.size}`);
    if (head.size > state.size) await copyNew(settings, state, head);
    else if (!equalBytes(await rootOfEdge(sha256, state.edge), head.root)) throw forked(head);
    if (cosigned.size > head.size)
      throw new Error(`the log shows ${head.size} entries, and ${cosigned.size} cosigned: an old copy?`);
    const copied = await openTiles(sha256, head, async (level, index, width) =>
      fs.promises.readFile(path.join(folder, tilePath({ level, index, width }))),
    );
    if (!(await isBegunBy(head, cosigned, copied))) throw forked(cosigned);
  } catch (error) {
    if (!(error instanceof Tampered)) throw error;
    throw new Alarm(error.message, [state.text, head.note, ...(cosigned === head ? [] : [cosigned.note])]);
  }
  if (state.text !== head.signed) Object.assign(state, { text: head.signed, changed: secondsNow() });
  if (witness !== undefined) state.cosigned = Math.max(secondsNow(), state.cosigned);
  writeState(folder, state);
  if (witness !== undefined && !fs.existsSync(witness.used))
    writeDurably(witness.used, `${formatVerifierKey(witness.verifier, COSIGNATURE)}\n`, { flag: 'w', mode: 0o600 });
  const own = witness === undefined ? '' : cosign(witness, head.text, state.cosigned);
  write(folder, CHECKPOINT_PATH, `${head.signed}${own}`);
  removePartial(folder, before, state.size);
  if (staleSeconds !== undefined && secondsNow() - state.changed > staleSeconds)
    throw new Alarm(`stale: the log has not changed since ${new Date(state.changed * 1000).toISOString()}`);
  if (policy !== undefined) await judgeWitnesses(policy, witnessed);
  return `All is well: ${state.size} entries, ${state.size - before} of them new, the last of ${state.at}.`;
}

async function judgeWitnesses(policy: WitnessPolicy, note: Uint8Array | undefined): Promise<void> {
  if (policy.quorum === null) return;
  if (note === undefined) throw new Alarm('witness missing: the log has no checkpoint.witnessed');
  const witnessed = await witnessesOf(note, policy, new Date());
  const missing = policy.witnesses.filter(({ name }) => !witnessed.by.some((one) => one.name === name));
  if (witnessed.at === null)
    throw new Alarm(`witness missing: the quorum lacks ${missing.map(({ name }) => name).join(', ')}`);
  if (isOld(witnessed, new Date()))
    throw new Alarm('witness missing: the newest cosignatures of the quorum are older than a day');
}

/** The exit code of one look, and the sentence. */
async function tell(settings: Settings): Promise<{ code: number; words: string }> {
  try {
    return { code: 0, words: await look(settings) };
  } catch (error) {
    if (!(error instanceof Tampered)) return { code: 2, words: `Could not tell: ${messageOf(error)}.` };
    const notes = error instanceof Alarm ? error.evidence.filter((note) => note !== '').map((note) => `\n${note}`) : [];
    const words = `ALARM: ${messageOf(error)}. Keep ${settings.folder} and tell others.${notes.join('')}`;
    return { code: 1, words };
  }
}

function runCommand(command: string, words: string): void {
  const { status } = spawnSync(command, { shell: true, input: `${words}\n`, timeout: 60_000, stdio: ['pipe', 2, 2] });
  if (status !== 0) process.stderr.write(`The command of the alarm failed: ${command}\n`);
}

// --- Serving

const SERVED = /^\/(checkpoint|tile\/(?:entries|\d)\/(?:x\d{3}\/)*\d{3}(?:\.p\/\d{1,3})?)$/;

function serve(folder: string, address: string): void {
  const [, host, port] = /^\[?([^\]]+?)\]?:(\d{1,5})$/.exec(address) ?? usage(`--serve: ${address} is no HOST:PORT.`);
  const server = createServer({ requestTimeout: 10_000 }, ({ method, url = '' }, response) => {
    const [, name = '.'] = (['GET', 'HEAD'].includes(method ?? '') && SERVED.exec(url.replace(/\?.*/, ''))) || [];
    const headers = { 'access-control-allow-origin': '*' };
    fs.readFile(path.join(folder, name), (error, bytes) => {
      if (error !== null) return response.writeHead(404, headers).end('Not found.\n');
      const [type, cache] =
        name === CHECKPOINT_PATH
          ? ['text/plain; charset=utf-8', 'no-cache']
          : ['application/octet-stream', 'max-age=31536000, immutable'];
      return response.writeHead(200, { ...headers, 'content-type': type, 'cache-control': cache }).end(bytes);
    });
  });
  server.on('error', (error) => stop(2, `--serve: ${error.message}.`));
  server.listen(Number(port), host, () =>
    process.stdout.write(`Serving ${folder} at ${JSON.stringify(server.address())}\n`),
  );
}

// --- The start

const OPTIONS = {
  command: { type: 'string' },
  stale: { type: 'string' },
  policy: { type: 'string' },
  witness: { type: 'string' },
  serve: { type: 'string' },
  every: { type: 'string' },
} as const;

function readArguments() {
  try {
    return parseArgs({ allowPositionals: true, options: OPTIONS });
  } catch (error) {
    return usage(`${messageOf(error)}.`);
  }
}

const { values, positionals } = readArguments();
const [base = '', keyText = '', folder = ''] = positionals;
if (positionals.length !== 3) usage('Give the address of the log, its verifier key, and a folder for the copy.');
const numberOf = (name: 'stale' | 'every'): number | undefined => {
  const text = values[name];
  if (text === undefined) return undefined;
  return Number(text) > 0 ? Number(text) : usage(`--${name}: ${text} is no number above 0.`);
};
const [staleMinutes, every] = [numberOf('stale'), numberOf('every')];
if ((values.serve === undefined) !== (every === undefined)) usage('--serve and --every go together.');
const settings = await readSettings();
if (every !== undefined) {
  serve(folder, values.serve ?? '');
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(0));
}
// Who is served goes on for ever, and an alarm that stays is told once a day.
for (let told = { words: '', at: 0 }; ;) {
  const { code, words } = await tell(settings);
  const isNew = words !== told.words || secondsNow() - told.at > DAY_S;
  if (code === 1 && values.command !== undefined && isNew) runCommand(values.command, words);
  if (every === undefined) stop(code, words);
  if (isNew) {
    process.stdout.write(`${new Date().toISOString()} ${words}\n`);
    told = { words, at: secondsNow() };
  }
  await new Promise((resolve) => setTimeout(resolve, every * 1000));
}

async function readSettings(): Promise<Settings> {
  const logKey = await parseVerifierKey(keyText).catch(() => usage('The second argument is no verifier key of a log.'));
  try {
    fs.mkdirSync(folder, { recursive: true });
    await lock();
    const { policy, witness } = values;
    return {
      base: base.replace(/\/+$/, ''),
      readLog: openLogSource(base),
      logKey,
      folder,
      staleSeconds: staleMinutes === undefined ? undefined : staleMinutes * 60,
      policy: policy === undefined ? undefined : await readPolicy(policy, logKey),
      witness: witness === undefined ? undefined : await readWitness(witness),
    };
  } catch (error) {
    return stop(2, `Could not tell: ${messageOf(error)}.`);
  }
}

// One mirror at a time writes a folder.
async function lock(): Promise<void> {
  if (process.platform !== 'linux') return values.witness === undefined ? undefined : usage('--witness needs Linux.');
  const { dev, ino } = fs.statSync(folder);
  if ((await holdName(`mirror-${dev}-${ino}`)) === undefined) throw new Error(`another mirror runs with ${folder}`);
}

async function readPolicy(file: string, logKey: VerifierKey): Promise<WitnessPolicy> {
  const policy = await parseWitnessPolicy(fs.readFileSync(file)).catch((error: unknown) =>
    usage(`The policy ${file}: ${messageOf(error)}.`),
  );
  const logs = policy.logs.map(({ key }) => formatVerifierKey(key));
  return logs.length === 0 || logs.includes(formatVerifierKey(logKey))
    ? policy
    : usage(`The policy ${file} is of other logs.`);
}

async function readWitness(file: string): Promise<OwnWitness> {
  const key = await parseSigningKey(fs.readFileSync(file, 'utf8'), COSIGNATURE);
  return { ...key, used: `${file}.used` };
}
