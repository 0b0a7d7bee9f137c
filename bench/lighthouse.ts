// npm run lighthouse: Lighthouse's mobile scores of the public pages, on the production server with the demo's records.
// Of three looks at a page the performance in the middle, as what else the machine does is in each of them
// (https://github.com/GoogleChrome/lighthouse/blob/main/docs/variability.md); of the rest the lowest. Ends with 1 when any
// score is below 100.
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
  '/check',
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
const TRIES_MAX = 6;
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
      for (let tries = 0; looks.length < LOOKS; tries += 1) {
        const seen = await look();
        // A browser may paint before it is watched: then nothing was measured.
        if (seen?.lhr.audits['largest-contentful-paint']?.numericValue !== undefined) looks.push(seen);
        else if (tries >= TRIES_MAX) throw new Error(`no result for ${page}`);
      }
      const asked = CATEGORIES.filter((category) => category !== 'seo' || !page.startsWith(UNLISTED));
      const counted = asked.map((category) => {
        const inOrder = looks.toSorted((a, b) => scoreOf(a, category) - scoreOf(b, category));
        const seen = inOrder[category === 'performance' ? Math.floor(LOOKS / 2) : 0];
        if (seen === undefined) throw new Error(`no result for ${page}`);
        return { category, seen, score: scoreOf(seen, category) };
      });
      const scores = counted.map(({ category, score }) => `${category} ${score}`).join(', ');
      const range = (audit: string) => {
        const all = looks.map(({ lhr }) => Math.round(lhr.audits[audit]?.numericValue ?? Number.NaN));
        return `${Math.min(...all)} to ${Math.max(...all)} ms`;
      };
      const times = `largest paint ${range('largest-contentful-paint')}, blocked ${range('total-blocking-time')}`;
      process.stdout.write(`${page.padEnd(36)} ${scores} (${times})\n`);
      for (const { category, seen, score } of counted) {
        if (score >= 100) continue;
        below += 1;
        for (const { id } of seen.lhr.categories[category]?.auditRefs ?? []) {
          const audit = seen.lhr.audits[id];
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

function scoreOf({ lhr }: RunnerResult, category: string): number {
  return Math.round((lhr.categories[category]?.score ?? 0) * 100);
}
