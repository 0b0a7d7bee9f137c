import { useSyncExternalStore } from 'react';
import { isNewVersion, onNewVersion } from '#app/platform/http/new-version.ts';
import { ErrorSummary } from './error-summary.tsx';
import { failureText, type FormAnswer } from './form-answer.ts';
import { NoteAbove } from './note.tsx';

/** That the registry has a new version, in an open form. */
export function NewVersionNote() {
  const isNew = useSyncExternalStore(onNewVersion, isNewVersion, () => false);
  return isNew ? (
    <NoteAbove kind="info">
      A new version of this page is here. What you typed stays: send it first, then open the page again.
    </NoteAbove>
  ) : null;
}

/**
 * The messages above a form: why it was refused and at which fields, else what others changed `meanwhile`; and that the
 * registry has a new version.
 */
export function FormNotes({
  answer = {},
  meanwhile,
}: {
  answer: Partial<Pick<FormAnswer, 'failure' | 'link' | 'errors' | 'fileErrors'>> | undefined;
  meanwhile?: string | undefined;
}) {
  const { failure, link } = answer;
  return (
    <>
      <NewVersionNote />
      {failure === undefined ? (
        meanwhile !== undefined && <NoteAbove kind="info">{meanwhile}</NoteAbove>
      ) : (
        <NoteAbove kind="error">
          {failureText(failure)}{' '}
          {link === undefined ? null : (
            <a href={link.href} target={link.inNewTab === true ? '_blank' : undefined}>
              {link.label}
            </a>
          )}
        </NoteAbove>
      )}
      <ErrorSummary answer={answer} />
    </>
  );
}
