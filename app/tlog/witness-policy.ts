// Whose cosignatures make a checkpoint witnessed (c2sp.org/tlog-policy): logs, witnesses, and a rule of how many of
// them it takes. Anybody who checks a log may bring their own policy; the registry publishes the one that it asks by.
import { Malformed, parseUtf8 } from './bytes.ts';
import { COSIGNATURE, formatHex, parseVerifierKey, type VerifierKey } from './signed-note.ts';

/** `url`: where it is asked; in the file of a verifier there is mostly none. */
export type PolicyLog = { key: VerifierKey; url: string | undefined };
/** `name`: its name in the file. */
export type PolicyWitness = { name: string; key: VerifierKey; url: string | undefined };
/** So many of the members; a witness is a rule without members. */
type Rule = { witness: string } | { least: number; members: readonly Rule[] };
export type WitnessPolicy = {
  logs: readonly PolicyLog[];
  witnesses: readonly PolicyWitness[];
  /** Null: none is wanted. */
  quorum: Rule | null;
};

/** Whether these witnesses, by their names in the file, are enough. */
export const isQuorum = ({ quorum }: WitnessPolicy, cosigned: ReadonlySet<string>): boolean =>
  quorum === null || isMet(quorum, cosigned);

const isMet = (rule: Rule, cosigned: ReadonlySet<string>): boolean =>
  'witness' in rule
    ? cosigned.has(rule.witness)
    : rule.members.reduce((met, member) => met + Number(isMet(member, cosigned)), 0) >= rule.least;

/** Throws Malformed with the line's number. */
export async function parseWitnessPolicy(bytes: Uint8Array): Promise<WitnessPolicy> {
  const text = parseUtf8(bytes);
  if (/[\u0000-\u0008\u000b-\u001f\u007f]/.test(text)) throw new Malformed('a policy has no control characters');
  if (text !== '' && !text.endsWith('\n')) throw new Malformed('the last line of a policy ends in a newline');
  const reading: Reading = { logs: [], witnesses: [], rules: new Map(), members: new Set(), quorum: undefined };
  for (const [place, line] of text.split('\n').entries()) {
    const items = line.split(/[ \t]+/).filter((item) => item !== '');
    const [keyword] = items;
    if (keyword === undefined || keyword.startsWith('#')) continue;
    try {
      await readLine(reading, keyword, items.slice(1));
    } catch (error) {
      throw new Malformed(`line ${place + 1}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  const { logs, witnesses, quorum } = reading;
  if (quorum === undefined) throw new Malformed('a policy has a quorum line');
  return { logs, witnesses, quorum };
}

type Reading = {
  logs: PolicyLog[];
  witnesses: PolicyWitness[];
  /** Witnesses and groups share their names. */
  rules: Map<string, Rule>;
  /** Names that are already a member of a group. */
  members: Set<string>;
  quorum: Rule | null | undefined;
};

async function readLine(reading: Reading, keyword: string, items: readonly string[]): Promise<void> {
  switch (keyword) {
    case 'log': {
      const [text = '', url, ...more] = items;
      const key = await parseVerifierKey(text);
      if (more.length > 0) throw new Malformed('a log is a key and an address');
      if (hasKey(reading.logs, key)) throw new Malformed('this log is there twice');
      reading.logs.push({ key, url });
      return;
    }
    case 'witness': {
      const [name = '', text = '', url, ...more] = items;
      const key = await parseVerifierKey(text, COSIGNATURE);
      if (more.length > 0) throw new Malformed('a witness is a name, a key and an address');
      if (hasKey(reading.witnesses, key)) throw new Malformed('this witness is there twice');
      define(reading, name, { witness: name });
      reading.witnesses.push({ name, key, url });
      return;
    }
    case 'group': {
      const [name = '', count = '', ...names] = items;
      const members = names.map((member) => memberOf(reading, member));
      define(reading, name, { least: leastOf(count, members.length), members });
      return;
    }
    case 'quorum': {
      const [name = '', ...more] = items;
      if (more.length > 0) throw new Malformed('a quorum is one name');
      if (reading.quorum !== undefined) throw new Malformed('a policy has one quorum line');
      reading.quorum = name === 'none' ? null : ruleOf(reading, name);
      return;
    }
    default:
      throw new Malformed(`there is no ${keyword}`);
  }
}

function define({ rules }: Reading, name: string, rule: Rule): void {
  if (name === '' || name === 'none') throw new Malformed('it needs a name other than none');
  if (rules.has(name)) throw new Malformed(`${name} is there twice`);
  rules.set(name, rule);
}

function ruleOf({ rules }: Reading, name: string): Rule {
  const rule = rules.get(name);
  if (rule === undefined) throw new Malformed(`${name} is not named on a line before`);
  return rule;
}

function memberOf(reading: Reading, name: string): Rule {
  const rule = ruleOf(reading, name);
  if (reading.members.has(name)) throw new Malformed(`${name} is a member twice`);
  reading.members.add(name);
  return rule;
}

function leastOf(count: string, members: number): number {
  if (members === 0) throw new Malformed('a group has members');
  if (count === 'all') return members;
  if (count === 'any') return 1;
  const least = /^[1-9]\d{0,5}$/.test(count) ? Number(count) : 0;
  if (least < 1 || least > members)
    throw new Malformed(`a group of ${members} needs any, all or a number up to ${members}`);
  return least;
}

const hasKey = (of: readonly { key: VerifierKey }[], { publicKey }: VerifierKey): boolean =>
  of.some(({ key }) => formatHex(key.publicKey) === formatHex(publicKey));
