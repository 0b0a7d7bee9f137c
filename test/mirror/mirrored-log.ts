// A small log, served as the registry serves its own, and the mirror that copies it.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeEach, expect } from 'vitest';
import { auditLog } from '#app/tlog/audit-log.ts';
import { type Bytes, parseUtf8 } from '#app/tlog/bytes.ts';
import { nodeSha256 } from '#app/tlog/sha256.server.ts';
import { formatVerifierKey } from '#app/tlog/signed-note.ts';
import { MIRROR } from '#test/built-programs.ts';
import { newKey, publish, someEntries } from '#test/small-log.ts';
import { cosignedAt, textOf } from '#test/witness-program/cosignature.ts';
import { runWitness } from '#test/witness-program/witness-process.ts';

/** The log and its mirror for the tests of a file: each test has a folder `copy` of its own. */
export async function mirroredLog() {
  let nth = 0;
  const server = createServer((asked, answer) => {
    const file = log.files.get((asked.url ?? '').slice(1));
    answer.statusCode = file === undefined ? 404 : 200;
    answer.end(file);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const log = {
    key: await newKey(),
    /** What a test may publish. */
    entries: await someEntries(1400, 3),
    /** What is served now, by path. */
    files: new Map<string, Bytes>(),
    folder: await mkdtemp(path.join(tmpdir(), 'mirror-')),
    base: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    copy: '',
  };
  afterAll(async () => {
    server.close();
    await rm(log.folder, { recursive: true });
  });
  beforeEach(() => {
    nth += 1;
    log.copy = path.join(log.folder, `copy${nth}`);
  });

  /** The path of a file of this test. */
  const own = (name: string) => path.join(log.folder, `${name}${nth}`);
  const serve = async (of: readonly Bytes[], by = log.key) => ({ files: log.files } = await publish(of, by));
  const args = (...more: string[]) => [MIRROR, log.base, formatVerifierKey(log.key.verifier), log.copy, ...more];
  const follow = (...more: string[]) =>
    new Promise<{ code: number; words: string }>((resolve) => {
      execFile(process.execPath, args(...more), (error, words) =>
        resolve({ code: typeof error?.code === 'number' ? error.code : 0, words }),
      );
    });
  const inCopy = (name: string) => readFile(path.join(log.copy, name));
  /** What an audit of the copy says. */
  const audited = async () => {
    const readCopy = (name: string) => inCopy(name).catch(() => undefined);
    return (await auditLog({ sha256: nodeSha256, readFile: readCopy, key: log.key.verifier })).sentence;
  };
  const newWitnessKey = async () => (await runWitness('--new-key', 'mirror.example/m', own('key'))).output.trim();
  /**
   * The time of the mirror's cosignature: the copy's checkpoint has it beside the log's signature, as the log shows
   * that.
   */
  const cosigned = async (vkey: string) => {
    const note = parseUtf8(await inCopy('checkpoint'));
    const lines = note.slice(textOf(note).length + 1).split('\n');
    expect(lines).toHaveLength(3);
    return cosignedAt(`${lines[1]}\n`, textOf(note), vkey);
  };
  return Object.assign(log, { own, serve, args, follow, inCopy, audited, newWitnessKey, cosigned });
}
