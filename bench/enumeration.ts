// npm run bench:enumeration: does an answer tell whether an address has an account? A thousand sign-ins and a thousand
// resets each for known and unknown addresses, taken in turn; medians, and whether status, body and headers are the same.
// Ends with 1 when a median differs by more than 5 ms, or anything else at all.
import { addPerson } from '#test/people.ts';
import { startRegistry } from '#test/start-registry.ts';

const TRIES = 1000;
const PEOPLE = 20;
const MEDIAN_MAX_MS = 5;

const registry = await startRegistry();
for (let index = 0; index < PEOPLE; index += 1)
  await addPerson(registry.db, index % 2 === 0 ? 'admin' : 'technician', `known${index}@registry.example`);

let failed = false;
for (const [path, name] of [
  ['/login', 'sign-in'],
  ['/reset', 'reset'],
] as const) {
  const times: Record<'known' | 'other', number[]> = { known: [], other: [] };
  const answers = new Set<string>();
  for (let index = 0; index < TRIES * 2; index += 1) {
    // Names of the same length; which comes first changes in turn.
    const kind = (index + Math.floor(index / 2)) % 2 === 0 ? 'known' : 'other';
    const email = `${kind}${Math.floor(index / 2) % PEOPLE}@registry.example`;
    const begun = performance.now();
    const answer = await fetch(`${registry.url}${path}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: registry.url },
      body: new URLSearchParams({ email, password: 'certainly not this one' }),
    });
    const body = await answer.text();
    times[kind].push(performance.now() - begun);
    answers.add(shape(answer, body, email));
  }
  const known = median(times.known);
  const unknown = median(times.other);
  const apart = Math.abs(known - unknown);
  process.stdout.write(
    `${name}: known ${known.toFixed(2)} ms, unknown ${unknown.toFixed(2)} ms, apart ${apart.toFixed(2)} ms, ratio ${(known / unknown).toFixed(3)}; ${answers.size} kind of answer over ${TRIES * 2} tries\n`,
  );
  if (apart > MEDIAN_MAX_MS || answers.size !== 1) failed = true;
}
await registry.stop();
process.exit(failed ? 1 : 0);

// Everything an observer sees, without what differs between any two answers.
function shape(answer: Response, body: string, email: string): string {
  const headers = [...answer.headers].filter(
    ([name]) => !['date', 'x-request-id', 'content-security-policy', 'content-length'].includes(name),
  );
  const text = body.replaceAll(email, '').replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '');
  return JSON.stringify([answer.status, headers, text]);
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
