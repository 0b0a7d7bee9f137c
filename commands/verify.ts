// npm run verify: checks the transparency log from outside, with nothing but its verifier key. `npm run build:verifier`
// makes the same a single file that runs on any Node 20 or newer, for those who do not trust this machine.
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { auditLog } from '#app/tlog/audit-log.ts';
import { forkEvidence } from '#app/tlog/fork-evidence.ts';
import { openLogSource } from '#app/transparency-log/log-source.server.ts';
import { nodeSha256 as sha256 } from '#app/tlog/sha256.server.ts';
import { parseVerifierKey, type VerifierKey } from '#app/tlog/signed-note.ts';
import { type Verification, verification } from '#app/tlog/verification.ts';
import { readCarriedProof } from '#app/vehicles/carried-proof.ts';
import { readPastProof } from '#app/vehicles/past-proof.ts';
import { verifyProofFile } from '#app/tlog/verify-proof-file.ts';
import { parseWitnessPolicy } from '#app/tlog/witness-policy.ts';
import type { Witnessing } from '#app/tlog/witnessed.ts';

const USAGE = `Usage:
  verify proof FILE --key KEY [--policy F]            one record's proof file
  verify audit URL|FOLDER --key KEY [--checkpoint F] [--policy F]
                                                      the whole log, against a checkpoint kept from earlier
  verify truck FILE --key KEY [--policy F] [--rego R] [--zone Z]
                                                      how the truck of a proof file stands today
  verify day FILE --key KEY [--policy F] [--rego R] [--zone Z]
                                                      what was said of the truck of a day's proof file
  verify fork NOTE NOTE --key KEY                     do two signed checkpoints contradict each other?
  verify db [--key KEY --checkpoint F]                this registry's own database, record by record

KEY is the log's verifier key, name+hash+key, which you have from somewhere else than the log. With a policy
(c2sp.org/tlog-policy) nothing is proved that its witnesses have not seen.
Ends with 0 when proved, 1 when tampered with, 2 when it cannot be told.
`;
const EXIT_CODES = { proved: 0, tampered: 1, 'could-not-tell': 2 } as const;

type Given = { checkpoint?: string; witnessing?: Witnessing; rego: string; zone: string };
type Check = (places: string[], key: VerifierKey, given: Given) => Promise<Verification>;

// `db` needs the database and the salts, and is a command of its own (verify-db.ts).
const CHECKS: Record<string, { places: number; check: Check }> = {
  proof: {
    places: 1,
    check: async ([file = ''], key, { witnessing }) =>
      verifyProofFile(sha256, await readFile(file), { key, witnessing }),
  },
  truck: {
    places: 1,
    async check([file = ''], key, { witnessing, rego, zone }) {
      const reading = { key, policy: witnessing?.policy, rego, now: new Date(), zone };
      const { judgement, rego: of, ...answer } = await readCarriedProof(sha256, await readFile(file), reading);
      return judgement === undefined
        ? answer
        : { ...answer, sentence: `${of}: ${judgement.word}. ${judgement.sentence} ${answer.sentence}` };
    },
  },
  day: {
    places: 1,
    check: async ([file = ''], key, { witnessing, rego, zone }) =>
      readPastProof(sha256, await readFile(file), { key, witnessing, rego, zone }),
  },
  audit: {
    places: 1,
    async check([place = ''], key, { checkpoint, witnessing }) {
      const saved = checkpoint === undefined ? {} : { saved: await readFile(checkpoint) };
      const witnesses = witnessing === undefined ? {} : { witnessing };
      return auditLog({ sha256, readFile: openLogSource(place), key, ...saved, ...witnesses });
    },
  },
  fork: {
    places: 2,
    check: async ([a = '', b = ''], key) => forkEvidence(sha256, [await readFile(a), await readFile(b)], key),
  },
};

const answer = await run(process.argv.slice(2));
process.stdout.write(`${answer.sentence}\n`);
process.exitCode = EXIT_CODES[answer.result];

async function run(args: string[]): Promise<Verification> {
  const asked = parse(args);
  if (typeof asked === 'string') return { result: 'could-not-tell', sentence: `${asked}\n\n${USAGE}` };
  let answer: Verification | undefined;
  // An unreadable file proves nothing about the log.
  const failed = await verification(async () => {
    const { check, places, key, policy, given } = asked;
    const witnessing = policy === undefined ? {} : { witnessing: await readPolicy(policy) };
    answer = await check(places, await parseVerifierKey(key), { ...given, ...witnessing });
    return '';
  });
  return answer ?? failed;
}

async function readPolicy(file: string): Promise<Witnessing> {
  return { policy: await parseWitnessPolicy(await readFile(file)), now: new Date() };
}

type Asked = { check: Check; places: string[]; key: string; policy?: string; given: Omit<Given, 'witnessing'> };

function parse(args: string[]): Asked | string {
  try {
    const options = {
      key: { type: 'string' },
      checkpoint: { type: 'string' },
      policy: { type: 'string' },
      rego: { type: 'string', default: '' },
      zone: { type: 'string', default: 'Australia/Sydney' },
    } as const;
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const [name = '', ...places] = positionals;
    const known = Object.hasOwn(CHECKS, name) ? CHECKS[name] : undefined;
    if (known === undefined)
      return name === '' ? 'Name a check: proof, truck, day, audit, fork or db.' : `There is no check ${name}.`;
    if (places.length !== known.places)
      return `${name} needs ${known.places} ${known.places === 1 ? 'place' : 'files'}, not ${places.length}.`;
    if (values.key === undefined) return 'The verifier key is missing.';
    const { checkpoint, policy, rego, zone, key } = values;
    return {
      check: known.check,
      places,
      key,
      given: { rego, zone, ...(checkpoint === undefined ? {} : { checkpoint }) },
      ...(policy === undefined ? {} : { policy }),
    };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
