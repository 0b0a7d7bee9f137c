// The drafts of forms in this tab, each under its owner's name: apart from what writes them, so that a public page loads no
// more than what takes them away.

const PREFIX = 'draft ';

/** Whose a draft is comes first, so that those of others are told apart without knowing their forms. */
export const draftKey = (owner: string, form: string): string => `${PREFIX}${owner} ${form}`;

/** Takes away every draft that is not this owner's; of nobody, every draft. */
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
