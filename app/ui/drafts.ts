// The storage of this tab's form drafts, each under its owner. It is apart from use-draft.ts, which writes them, so
// that a public page loads only what deletes them.

const PREFIX = 'draft ';

/** The key begins with the owner, so that the drafts of others are found without knowing their forms. */
export const draftKey = (owner: string, form: string): string => `${PREFIX}${owner} ${form}`;

/** Deletes every draft of other owners; with null, every draft. */
export function keepOnlyDraftsOf(owner: string | null): void {
  const storage = draftStorage();
  if (storage === undefined) return;
  const others = Object.keys(storage).filter(
    (key) => key.startsWith(PREFIX) && (owner === null || !key.startsWith(`${PREFIX}${owner} `)),
  );
  for (const key of others) storage.removeItem(key);
}

/** The tab's own storage; undefined where the browser allows none. */
export function draftStorage(): Storage | undefined {
  try {
    return window.sessionStorage;
  } catch {
    return undefined;
  }
}
