// Where an audit reads a log from: a folder, or its address.
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { unlessMissing } from '#app/platform/process/missing-file.server.ts';
import type { ReadFile } from '#app/tlog/audit-log.ts';
import { readLimited } from './read-limited.server.ts';

// A bundle's entries have at most 65,535 bytes each, a tile's hashes 32; a checkpoint has a line a witness.
const ENTRIES_MAX_BYTES = 256 * (2 + 65_535);
const TILE_MAX_BYTES = 256 * 32;
const NOTE_MAX_BYTES = 64 * 1024;
const TIMEOUT_MS = 60_000;

/** Reads the log at `https://…`, `http://…` or in a folder; each laid out as c2sp.org/tlog-tiles says. */
export function openLogSource(place: string): ReadFile {
  return /^https?:\/\//.test(place) ? fromAddress(place.replace(/\/+$/, '')) : fromFolder(place);
}

function fromFolder(folder: string): ReadFile {
  const read = async (name: string) => {
    const file = path.join(folder, name);
    if ((await stat(file)).size > maxBytes(name)) throw tooLong(name);
    return readFile(file);
  };
  return (name) => unlessMissing(read(name));
}

function fromAddress(prefix: string): ReadFile {
  return async (name) => {
    const answer = await fetch(`${prefix}/${name}`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (answer.status === 404 || answer.status === 410) return undefined;
    if (!answer.ok) throw new Error(`${prefix}/${name} answers with status ${answer.status}`);
    return readLimited(answer, maxBytes(name), () => tooLong(name));
  };
}

function maxBytes(name: string): number {
  if (name.startsWith('tile/entries/')) return ENTRIES_MAX_BYTES;
  return name.startsWith('tile/') ? TILE_MAX_BYTES : NOTE_MAX_BYTES;
}

const tooLong = (name: string) => new Error(`the file ${name} is too long`);
