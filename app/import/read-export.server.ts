// Reads an export of the former database as a stream: one JSON object with the collections of the specification. A
// record at a time is in memory, however large the file.
import { createReadStream } from 'node:fs';
import { JSONParser } from '@streamparser/json';
import { cleanValue, keyFault } from './clean-record.ts';

export const COLLECTIONS = ['Vehicles', 'Admins', 'Applications', 'Technicians', 'ActivityLogs'] as const;
export type Collection = (typeof COLLECTIONS)[number];
/**
 * One record, cleaned of what cannot be stored; or one that cannot be read, and why; or a whole part of the export that
 * the registry does not know.
 */
export type ExportRecord =
  | { kind: 'record'; collection: Collection; key: string; value: unknown; cleaned: boolean }
  | { kind: 'unreadable'; collection: Collection; key: string; why: string }
  | { kind: 'unknown'; key: string };
export type Progress = (bytesRead: number) => void;

/** Why an export cannot be read at all, as a sentence. */
export class ExportError extends Error {}

/** Every record of `file` in its order. Throws ExportError where it is missing, not JSON, no object or not whole. */
export async function* readExport(
  file: string,
  progress: Progress = () => {},
): AsyncGenerator<ExportRecord, undefined> {
  const waiting: ExportRecord[] = [];
  let ended = false;
  let failure: Error | undefined;
  const parser = new JSONParser({ paths: ['$', '$.*', '$.*.*'], keepStack: false, stringBufferSize: 64 * 1024 });
  parser.onValue = ({ value, key, stack, parent }) => {
    const depth = stack.length;
    if (depth === 0 && (typeof value !== 'object' || value === null || Array.isArray(value)))
      failure ??= new ExportError(
        'is JSON, but no object of Vehicles, Admins, Applications, Technicians and ActivityLogs.',
      );
    if (depth === 1 && typeof key === 'string') {
      if (!isCollection(key)) waiting.push({ kind: 'unknown', key });
      else if (typeof value !== 'object' || Array.isArray(value))
        failure ??= new ExportError(`holds ${key} as something else than records.`);
    }
    if (depth === 2) {
      const collection = stack[1]?.key;
      if (typeof collection === 'string' && isCollection(collection) && key !== undefined)
        waiting.push(recordOf(collection, String(key), value));
    }
    // Dropped from the parser once handed over.
    if (depth === 2 && parent !== undefined && key !== undefined && !Array.isArray(parent))
      Reflect.deleteProperty(parent, key);
  };
  parser.onEnd = () => (ended = true);
  parser.onError = (error) => (failure ??= error);

  const stream = createReadStream(file, { highWaterMark: 256 * 1024 });
  let bytes = 0;
  try {
    for await (const chunk of stream) {
      if (!(chunk instanceof Uint8Array)) throw new Error('a file stream gives bytes');
      parser.write(chunk);
      if (failure instanceof ExportError) throw failure;
      if (failure !== undefined) throw new ExportError(`is not valid JSON: ${whereOf(failure)}.`);
      bytes += chunk.length;
      progress(bytes);
      yield* waiting.splice(0);
    }
  } catch (error) {
    throw named(file, error);
  }
  if (!ended)
    throw new ExportError(
      bytes === 0 ? `${file} is empty.` : `${file} is incomplete: it ends in the middle. Nothing was imported.`,
    );
}

// The parser reports the chunk, the byte and its own state; only the byte helps.
function whereOf({ message }: Error): string {
  const byte = /absolute position "(\d+)"/.exec(message)?.[1];
  return byte === undefined ? 'it cannot be read' : `it breaks at byte ${Number(byte) + 1}`;
}

function recordOf(collection: Collection, key: string, value: unknown): ExportRecord {
  const fault = keyFault(key);
  if (fault !== undefined) return { kind: 'unreadable', collection, key, why: fault };
  const cleaned = cleanValue(value);
  return cleaned === undefined
    ? { kind: 'unreadable', collection, key, why: 'the record is nested too deep' }
    : { kind: 'record', collection, key, ...cleaned };
}

function isCollection(name: string): name is Collection {
  return COLLECTIONS.some((known) => known === name);
}

function named(file: string, error: unknown): unknown {
  if (error instanceof ExportError) return new ExportError(`${file} ${error.message} Nothing was imported.`);
  if (!(error instanceof Error) || !('code' in error)) return error;
  if (error.code === 'ENOENT') return new ExportError(`There is no file ${file}.`);
  if (error.code === 'EISDIR') return new ExportError(`${file} is a folder, not an export.`);
  if (error.code === 'EACCES') return new ExportError(`${file} may not be read by this user.`);
  return error;
}
