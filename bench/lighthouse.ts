// npm run lighthouse: Lighthouse's mobile scores of the public pages, on the production server with the demo's records.
// Of three looks at a page the one whose performance is in the middle: what else the machine does is in each of them
// (https://github.com/GoogleChrome/lighthouse/blob/main/docs/variability.md). Ends with 1 when any score is below 100.
import { launch } from 'chrome-launcher';
import lighthouse, { type RunnerResult } from 'lighthouse';
import { z } from 'zod';
import { startRegistry } from '#test/start-registry.ts';

const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
// Search engines are told not to list it, which is what that score is about.
const UNLISTED = '/vehicles/follow/';
// What anyone is shown. A calibration's own page is found by the registry's API.
const PAGES = [
  '/',
  '/?q=XV',
  '/search?q=XV',
  '/vehicles/view/XV04KL',
  'calibration',
  '/about',
  '/log',
  '/vehicles/follow/XV04KL',
  '/tech-register',
  '/login',
  '/tech-login',
  '/reset',
];
const REGO = 'XV04KL';
const LOOKS = 3;
const historySchema = z.object({ items: z.array(z.object({ id: z.number() })).min(1) });

const registry = await startRegistry();
const chromePath = process.env['CHROMIUM'];
let below = 0;
try {
  const { items } = historySchema.parse(
    await (await fetch(`${registry.url}/api/v1/vehicles/${REGO}/calibrations`)).json(),
  );
  const calibration = `/calibrations/${REGO}/${items[0]?.id}`;
  for (const named of PAGES) {
    const page = named === 'calibration' ? calibration : named;
    const chrome = await launch({
      ...(chromePath === undefined ? {} : { chromePath }),
      chromeFlags: ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    });
    try {
      const look = () =>
        lighthouse(`${registry.url}${page}`, {
          port: chrome.port,
          logLevel: 'error',
          onlyCategories: [...CATEGORIES],
        });
      const looks: RunnerResult[] = [];
      for (let nth = 0; nth <= LOOKS; nth += 1) {
        const seen = await look();
        // A browser that has just been started may paint before it is watched: the first does not count.
        if (nth > 0 && seen !== undefined) looks.push(seen);
      }
      const performanceOf = ({ lhr }: RunnerResult) => lhr.categories['performance']?.score ?? 0;
      const result = looks.toSorted((a, b) => performanceOf(a) - performanceOf(b))[Math.floor((looks.length - 1) / 2)];
      if (result === undefined) throw new Error(`no result for ${page}`);
      const asked = CATEGORIES.filter((category) => category !== 'seo' || !page.startsWith(UNLISTED));
      const scores = asked.map((category) => Math.round((result.lhr.categories[category]?.score ?? 0) * 100));
      const paint = result.lhr.audits['largest-contentful-paint']?.displayValue ?? '';
      const blocked = looks.map((seen) => Math.round(valueOf(seen, 'total-blocking-time') ?? 0));
      process.stdout.write(
        `${page.padEnd(36)} ${asked.map((category, index) => `${category} ${scores[index]}`).join(', ')} (largest paint ${paint}, blocked ${Math.min(...blocked)} to ${Math.max(...blocked)} ms)\n`,
      );
      for (const [index, category] of asked.entries()) {
        if ((scores[index] ?? 0) >= 100) continue;
        below += 1;
        for (const { id } of result.lhr.categories[category]?.auditRefs ?? []) {
          const audit = result.lhr.audits[id];
          if (audit !== undefined && audit.score !== null && audit.score < 1)
            process.stdout.write(`    ${category}: ${id}: ${audit.title} ${audit.displayValue ?? ''}\n`);
        }
      }
    } finally {
      chrome.kill();
    }
  }
} finally {
  await registry.stop();
}
process.exit(below === 0 ? 0 : 1);

function valueOf({ lhr }: RunnerResult, audit: string): number | undefined {
  return lhr.audits[audit]?.numericValue;
}
