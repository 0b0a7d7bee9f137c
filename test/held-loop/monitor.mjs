// Preloaded into a server: at LOOP_PORT it tells for how long its event loop was held at most since it was asked last,
// and its memory, in JSON. The answer comes from that loop, so it comes when nothing holds it any more. `heldMs` is for
// how long the thread worked between two ticks of a timer, `delayMs` how late a tick came: other programs had the
// processor meanwhile.
import { createServer } from 'node:http';

const TICK_MS = 5;
let [heldMs, delayMs] = [0, 0];
let at = performance.now();
let worked = workedMs();

function workedMs() {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function tick() {
  const [now, nowWorked] = [performance.now(), workedMs()];
  heldMs = Math.max(heldMs, nowWorked - worked);
  delayMs = Math.max(delayMs, now - at - TICK_MS);
  [at, worked] = [now, nowWorked];
}
setInterval(tick, TICK_MS).unref();

createServer((_request, response) => {
  tick();
  const megabytes = Math.round(process.memoryUsage.rss() / 1024 / 1024);
  response.end(JSON.stringify({ heldMs: Math.round(heldMs), delayMs: Math.round(delayMs), megabytes }));
  [heldMs, delayMs] = [0, 0];
})
  .listen(Number(process.env['LOOP_PORT']), '127.0.0.1')
  .unref();
