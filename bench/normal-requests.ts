// A thread of its own that asks for pages as people do, at a steady pace whatever the answers take, and reports how long each
// took. Apart from the thread that holds the slow connections, whose work would count as the server's.
import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';

const EVERY_MS = 50;
const { url, paths } = z.object({ url: z.string(), paths: z.array(z.string()) }).parse(workerData);

let took: number[] = [];
let failed = 0;
let asked = 0;
const ask = async (path: string) => {
  const began = performance.now();
  try {
    const answer = await fetch(`${url}${path}`);
    await answer.arrayBuffer();
    if (answer.ok) took.push(performance.now() - began);
    else failed += 1;
  } catch {
    failed += 1;
  }
};
const asking = new Set<Promise<void>>();
const timer = setInterval(() => {
  const answered = ask(paths[asked++ % paths.length] ?? '/').finally(() => asking.delete(answered));
  asking.add(answered);
}, EVERY_MS);

// Any message asks for what was measured since the last; 'stop' ends it, and waits for those that were asked.
parentPort?.on('message', async (message) => {
  if (message === 'stop') {
    clearInterval(timer);
    await Promise.all(asking);
  }
  parentPort?.postMessage({ took, failed });
  took = [];
  failed = 0;
});
