// A file named `.sampled.test.ts` goes through a tenth of its cases in `npm test`, and through all in `npm run
// test:rest`.

/** How many of `all` cases this run goes through. */
export const sampled = (all: number): number => (process.env['MODE'] === 'endurance' ? all : Math.ceil(all / 10));

/** Of how many cases this run takes one. */
export const STEP = 10 / sampled(10);
