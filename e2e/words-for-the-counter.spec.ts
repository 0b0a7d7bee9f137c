// Sentences of pages in the words of a person at a counter.
import { newPerson, sessionOf } from './people.ts';
import { expect, test } from './registry.ts';

test('the pages say it as one would at a counter', async ({ registry }) => {
  const { cookie } = await sessionOf(registry, await newPerson(registry, 'technician'));
  for (const [path, sentences] of [
    ['/about', ['Each page names the rules version it uses.', 'How a verdict is earned', 'For developers']],
    ['/vehicles/view/XV04KL', ['A line through two points cannot show its own error.']],
    ['/vehicles/view/XV04KL?calibrate', ['Needed for the visit to count']],
  ] as const) {
    const page = await (await fetch(`${registry.url}${path}`, { headers: { cookie } })).text();
    const words = page.replaceAll(/<script.*?<\/script>|<[^>]*>/gs, ' ').replaceAll(/\s+/g, ' ');
    for (const sentence of sentences) expect([path, words]).toEqual([path, expect.stringContaining(sentence)]);
  }
});
