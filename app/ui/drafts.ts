// The storage of this browser's form drafts, each under its owner. It is apart from use-draft.ts, which writes them, so
// that a public page loads only what deletes them.

const PREFIX = 'draft ';
/** After four hours a draft is discarded: by then the form is probably opened for something else. */
const KEPT_MS = 4 * 60 * 60 * 1000;

export type Draft = { at: number; values: [name: string, value: string][] };

export const isDraftKey = (key: string): boolean => key.startsWith(PREFIX);

/** The key begins with the owner, so that the drafts of others are found without knowing their forms. */
export const draftKey = (owner: string, form: string): string => `${PREFIX}${owner} ${form}`;

/**
 * Deletes every draft of other owners, and those that are too old; with null, when a session has ended, these alone.
 */
export function keepOnlyDraftsOf(owner: string | null): void {
  const isOthers = (key: string) => owner !== null && !key.startsWith(`${PREFIX}${owner} `);
  dropDrafts((key) => isOthers(key) || readDraft(key) === undefined);
}

/** Deletes the drafts of this browser: by itself all of them, as when somebody signs out. */
export function dropDrafts(isDropped: (key: string) => boolean = () => true): void {
  const storage = draftStorage();
  if (storage === undefined) return;
  const dropped = Object.keys(storage).filter((key) => key.startsWith(PREFIX) && isDropped(key));
  for (const key of dropped) storage.removeItem(key);
}

/** What this browser keeps under `key`; undefined where it is too old, or nothing is. */
export function readDraft(key: string): Draft | undefined {
  try {
    const draft: unknown = JSON.parse(draftStorage()?.getItem(key) ?? 'null');
    return isDraft(draft) && Math.abs(Date.now() - draft.at) < KEPT_MS ? draft : undefined;
  } catch {
    return undefined;
  }
}

/** The storage that outlives the tab and the session; undefined where the browser allows none. */
export function draftStorage(): Storage | undefined {
  try {
    return window.localStorage;
  } catch {
    return undefined;
  }
}

function isDraft(value: unknown): value is Draft {
  if (typeof value !== 'object' || value === null || !('at' in value) || !('values' in value)) return false;
  return (
    typeof value.at === 'number' &&
    Array.isArray(value.values) &&
    value.values.every((pair) => Array.isArray(pair) && pair.every((text) => typeof text === 'string'))
  );
}
