import { useSyncExternalStore } from 'react';
import { isNewVersion, onNewVersion } from '#app/platform/http/new-version.ts';
import { NoteAbove } from './note.tsx';

/** That the registry has a new version, above what is typed. Public pages do not load it. */
export function NewVersionNote() {
  const isNew = useSyncExternalStore(onNewVersion, isNewVersion, () => false);
  return isNew ? (
    <NoteAbove kind="info">A new version is here. Send what you typed, then open the page again.</NoteAbove>
  ) : null;
}
