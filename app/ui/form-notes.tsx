import { ErrorSummary } from './error-summary.tsx';
import { failureText, type FormAnswer } from './form-answer.ts';
import { NoteAbove } from './note.tsx';

/** The messages above a form: why it was refused and at which fields, else what others changed `meanwhile`. */
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
