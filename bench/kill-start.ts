// npm run bench:kill-start: kill -9 of the server, and start again, ten times in a row, then three times with PostgreSQL
// killed too. Prints how long each start took; ends with 1 when one did not come up or lost a record.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { startRegistry } from '#test/start-registry.ts';

const registry = await startRegistry();
const count = async () => {
  const answer: unknown = await (await fetch(`${registry.url}/api/v1/vehicles`)).json();
  return typeof answer === 'object' && answer !== null && 'total' in answer ? answer.total : undefined;
};
const before = await count();
let failed = 0;
for (let round = 1; round <= 13; round += 1) {
  const both = round > 10;
  if (both)
    process.kill(
      Number((await readFile(path.join(registry.dataDir, 'postgres/data/postmaster.pid'), 'utf8')).split('\n')[0]),
      'SIGKILL',
    );
  await registry.killServer();
  const started = performance.now();
  try {
    await registry.startServer();
    const after = await count();
    process.stdout.write(
      `${String(round).padStart(2)}: killed ${both ? 'server and PostgreSQL' : 'server'}, up again in ${Math.round(performance.now() - started)} ms, ${String(after)} of ${String(before)} vehicles\n`,
    );
    if (after !== before) failed += 1;
  } catch (error) {
    failed += 1;
    process.stdout.write(`${round}: not up: ${String(error)}\n`);
  }
}
await registry.stop();
process.exit(failed === 0 ? 0 : 1);
