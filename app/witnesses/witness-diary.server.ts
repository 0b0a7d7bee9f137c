// What is remembered of each witness beside the published log: since when it cosigns, when it did last, and what went
// wrong since. By its name in the policy.
import { z } from 'zod';
import type { LogFolder } from '#app/transparency-log/log-folder.server.ts';
import type { Cosignature } from './ask-witness.server.ts';

const entrySchema = z.object({
  /** Its first and its last cosignature, as instants; '' for none. */
  since: z.string(),
  last: z.string(),
  size: z.number(),
  /** Why it did not cosign when it was asked last; '' where it did. */
  failing: z.string(),
});
const diarySchema = z.record(z.string(), entrySchema);
export type DiaryEntry = z.infer<typeof entrySchema>;

const NOTHING: DiaryEntry = { since: '', last: '', size: 0, failing: '' };

/** As it was written last. One that cannot be read is begun again: nothing is proved by it. */
export async function readDiary(folder: LogFolder): Promise<Map<string, DiaryEntry>> {
  const text = await folder.readWitnessDiary();
  if (text === undefined) return new Map();
  try {
    return new Map(Object.entries(diarySchema.parse(JSON.parse(text))));
  } catch {
    return new Map();
  }
}

export class WitnessDiary {
  readonly #folder: LogFolder;
  readonly #entries: Map<string, DiaryEntry>;
  #writing: Promise<void> = Promise.resolve();

  constructor(folder: LogFolder, entries: Map<string, DiaryEntry>) {
    this.#folder = folder;
    this.#entries = entries;
  }

  /** The least that one of these has cosigned. */
  sizeOf(names: readonly string[]): number {
    return Math.min(...names.map((name) => this.#entries.get(name)?.size ?? 0));
  }

  async cosigned(cosignatures: readonly Cosignature[], size: number): Promise<void> {
    for (const { name, at } of cosignatures) {
      const before = this.#entries.get(name) ?? NOTHING;
      const last = at.toISOString();
      this.#entries.set(name, { since: before.since === '' ? last : before.since, last, size, failing: '' });
    }
    await this.#write();
  }

  async failed(names: readonly string[], failing: string): Promise<void> {
    for (const name of names) this.#entries.set(name, { ...(this.#entries.get(name) ?? NOTHING), failing });
    await this.#write();
  }

  // One after the other, so that the newest stays.
  #write(): Promise<void> {
    const write = () => this.#folder.writeWitnessDiary(JSON.stringify(Object.fromEntries(this.#entries)));
    this.#writing = this.#writing.catch(() => {}).then(write);
    return this.#writing;
  }
}
