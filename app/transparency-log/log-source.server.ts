// Where an audit reads a log from: a folder, or its address.
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { unlessMissing } from '#app/platform/process/missing-file.server.ts';
import type { ReadFile } from '#app/tlog/audit-log.ts';
import { readLimited } from './read-limited.server.ts';

// More than a bundle of 256 entries of 4 kB, many times over; so that no server fills the memory.
const MAX_FILE_BYTES = 20_000_000;
const TIMEOUT_MS = 60_000;

/** Reads the log at `https://…`, `http://…` or in a folder; each laid out as c2sp.org/tlog-tiles says. */
export function openLogSource(place: string): ReadFile {
  return /^https?:\/\//.test(place) ? fromAddress(place.replace(/\/+$/, '')) : fromFolder(place);
}

function fromFolder(folder: string): ReadFile {
  const read = async (name: string) => {
    const file = path.join(folder, name);
    if ((await stat(file)).size > MAX_FILE_BYTES) throw tooLong(name);
    return readFile(file);
  };
  return (name) => unlessMissing(read(name));
}

function fromAddress(prefix: string): ReadFile {
  return async (name) => {
    const answer = await fetch(`${prefix}/${name}`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (answer.status === 404 || answer.status === 410) return undefined;
    if (!answer.ok) throw new Error(`${prefix}/${name} answers with status ${answer.status}`);
    return readLimited(answer, MAX_FILE_BYTES, () => tooLong(name));
  };
}

const tooLong = (name: string) => new Error(`the file ${name} is too long`);
