// Reads a workbook (.xlsx, .xls, .ods) beside the thread, one at a time: it may take seconds and half a gigabyte, and
// what a file does to its reader ends with the thread. Why this reader: docs/decisions/0021.
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { fewAtOnce } from '#app/platform/process/few-at-once.server.ts';

/** `text`: its lines as CSV parted by tabs, a row a line. `sheet`: which was read, of how many. */
export type ReadTable =
  | { ok: true; text: string; sheet?: { name: string; of: number } }
  | { ok: false; message: string };

/** Of the thread's heap. A sheet of 100,000 rows and fifteen columns takes 420 MB in all, and eight seconds. */
const HEAP_MAX_MB = 768;
const TIME_MAX_MS = 20_000;
const TOO_MUCH = 'This workbook is too much to read. Save the first sheet alone, or as CSV.';

const { inTurn } = fewAtOnce(1);

export const readWorkbook = (bytes: Uint8Array): Promise<ReadTable> => inTurn(() => readInThread(bytes));

async function readInThread(bytes: Uint8Array): Promise<ReadTable> {
  // By its name, as in the built server this file is part of another. A thread reads plain TypeScript as the process.
  const program = createRequire(import.meta.url).resolve('#app/platform/http/workbook-worker.server.ts');
  const worker = new Worker(program, {
    workerData: bytes,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MAX_MB },
    // The library writes of formats that it does not know.
    stderr: true,
  });
  worker.stderr.resume();
  const timer = setTimeout(() => void worker.terminate(), TIME_MAX_MS);
  try {
    const [read]: (ReadTable | undefined)[] = await Promise.race([
      once(worker, 'message'),
      once(worker, 'exit').then(() => []),
    ]);
    return read ?? { ok: false, message: TOO_MUCH };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY')
      return { ok: false, message: TOO_MUCH };
    throw error;
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
