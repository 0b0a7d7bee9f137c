// The programs for anybody who has no repository, as they are built: once for each file of tests that runs one.
import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const BUILD = path.resolve(import.meta.dirname, '../scripts/build-verifier.mjs');

const folder = await mkdtemp(path.join(tmpdir(), 'programs-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
await promisify(execFile)(process.execPath, [BUILD, folder]);

export const VERIFIER = path.join(folder, 'verify.mjs');
export const MIRROR = path.join(folder, 'mirror.mjs');
export const WITNESS = path.join(folder, 'witness.mjs');
