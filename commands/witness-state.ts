// What a witness remembers: the last head of each log that it signed, on disk before it answers. One that forgets could
// sign a fork.
import fs from 'node:fs';
import path from 'node:path';
import { formatHex } from '#app/tlog/signed-note.ts';
import { nodeSha256 as sha256 } from '#app/tlog/sha256.server.ts';
import { utf8 } from '#app/tlog/bytes.ts';
import { holdName, syncFolder, writeDurably } from './durable-file.ts';

/**
 * `root`: in base64. `time`: of the cosignature, in POSIX seconds. `note`: with the signatures of the log and the
 * witness.
 */
export type SignedHead = { size: number; root: string; time: number; note: string };
/** `text`: as it is in the file. `heads`: by the log's origin. */
export type State = { file: string; vkey: string; text: string; heads: Map<string, SignedHead> };

const OWN = { flag: 'w', mode: 0o600 } as const;

export const hashOf = (...texts: readonly string[]): string => formatHex(sha256(...texts.map(utf8)));

export function stop(words: string, code = 2): never {
  process.stderr.write(`${words}\n`);
  process.exit(code);
}

// A line of JSON, and its hash: a state with one flipped bit is not taken.
function formatState({ vkey, heads }: Pick<State, 'vkey' | 'heads'>): string {
  const json = JSON.stringify({ format: 'witness-state/1', vkey, heads: Object.fromEntries(heads) });
  return `${json}\n${hashOf(json)}\n`;
}

/** An empty state is made once in the life of a key: a mark beside the key says that this was done. */
export function openState(file: string, keyFile: string, vkey: string): State {
  const mark = `${keyFile}.used`;
  const isMarked = () => fs.existsSync(mark) && fs.readFileSync(mark, 'utf8') === `${vkey}\n`;
  if (!fs.existsSync(file)) {
    if (isMarked())
      stop(`state: ${file} is missing, and this key has signed. Bring it back, no older copy, or make a new key.`);
    writeDurably(`${file}.new`, formatState({ vkey, heads: new Map() }), OWN);
    fs.renameSync(`${file}.new`, file);
    syncFolder(file);
  }
  const text = fs.readFileSync(file, 'utf8');
  const [json = '', hash] = text.split('\n');
  if (text !== `${json}\n${hash}\n` || hashOf(json) !== hash)
    stop(`state: ${file} is damaged. Make a new key: an empty or older state could sign a fork.`);
  const state: { vkey: string; heads: Record<string, SignedHead> } = JSON.parse(json);
  if (state.vkey !== vkey) stop(`state: ${file} is of another key, ${state.vkey}.`);
  if (!isMarked()) writeDurably(mark, `${vkey}\n`, OWN);
  return { file, vkey, text, heads: new Map(Object.entries(state.heads)) };
}

export function store(state: State, origin: string, head: SignedHead): void {
  const heads = new Map(state.heads).set(origin, head);
  const text = formatState({ vkey: state.vkey, heads });
  writeDurably(`${state.file}.new`, text, OWN);
  // The lock keeps processes of one machine apart; this finds one of another machine or container.
  if (fs.readFileSync(state.file, 'utf8') !== state.text) stop('state: another witness has written it.', 1);
  fs.renameSync(`${state.file}.new`, state.file);
  try {
    syncFolder(state.file);
  } catch (error) {
    // Whether it is stored is not known: only a new start, which reads it, can tell.
    stop(`state: ${String(error)}`, 1);
  }
  Object.assign(state, { heads, text });
}

/**
 * The key is part of the name, so that nobody else can take it beforehand. macOS and the BSDs can lock a file as they
 * open it.
 */
export async function lockState(file: string, keyText: string): Promise<void> {
  const { dev, ino } = fs.statSync(path.dirname(file));
  const held = () => stop(`state: another witness runs with ${file}.`);
  if (process.platform === 'win32') stop('This needs Linux, macOS or a BSD.');
  if (process.platform === 'linux') {
    const name = hashOf(keyText, `${dev} ${ino} ${path.basename(file)}`);
    if ((await holdName(`witness-${name}`)) === undefined) held();
    return;
  }
  const { O_RDWR, O_CREAT, O_NONBLOCK } = fs.constants;
  const O_EXLOCK = 0x20;
  try {
    // Never closed: the lock goes with the process.
    fs.openSync(`${file}.lock`, O_RDWR | O_CREAT | O_NONBLOCK | O_EXLOCK, 0o600);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') held();
    throw error;
  }
}
