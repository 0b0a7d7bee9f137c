// Which person is meant: old records name people sometimes by name, sometimes by address. Where the export's own lists
// know exactly one person of that name, both are that person; else a name stays a name.
import { findOrAddActor } from '#app/activity-log/actor.server.ts';
import type { Tx } from '#app/platform/database/database.server.ts';
import { addressOfKey, shortName } from './record-reader.ts';

export type KnownPerson = { fullName: string; email: string };

export class Directory {
  readonly #nameByEmail = new Map<string, string>();
  readonly #emailsByName = new Map<string, Set<string>>();
  readonly #actors = new Map<string, number>();

  /** Knows `people` from the lists of admins and technicians. */
  constructor(people: readonly KnownPerson[]) {
    for (const { fullName, email } of people) this.#learn(fullName, email);
  }

  #learn(fullName: string, email: string): void {
    const name = shortName(fullName);
    if (!this.#nameByEmail.has(email) || !name.includes('@')) this.#nameByEmail.set(email, name);
    const emails = this.#emailsByName.get(name) ?? new Set();
    this.#emailsByName.set(name, emails.add(email));
  }

  /** The name and address meant by `mention`; null when it is empty or nobody ('Anonymous'). */
  resolve(mention: string): { name: string; email: string } | null {
    const email = addressOfKey(mention);
    if (email !== undefined) return { name: this.#nameByEmail.get(email) ?? shortName(email), email };
    const text = shortName(mention);
    if (text === '' || text === 'Anonymous') return null;
    const [only, ...others] = this.#emailsByName.get(text) ?? [];
    return { name: text, email: only !== undefined && others.length === 0 ? only : '' };
  }

  /** The actor meant by `mention`, added when new; null when nobody is. `nameThen`: the name in the record. */
  async actor(tx: Tx, mention: string, nameThen = ''): Promise<number | null> {
    const meant = this.resolve(mention);
    if (meant === null) return null;
    const stated = addressOfKey(nameThen) === undefined ? shortName(nameThen) : '';
    const person = { ...meant, name: stated || meant.name };
    const key = `${person.name}\n${person.email}`;
    const known = this.#actors.get(key);
    if (known !== undefined) return known;
    const id = await findOrAddActor(tx, person);
    this.#actors.set(key, id);
    return id;
  }

  /** Forgets what a rolled back transaction had added. */
  forgetActors(): void {
    this.#actors.clear();
  }
}
