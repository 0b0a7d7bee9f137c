import type { FormAnswer } from './form-answer.ts';
import { NoteAbove } from './note.tsx';

/** The messages above a form: why it was refused, else what others changed `meanwhile`. */
export function FormNotes({
  answer: { failure, link } = {},
  meanwhile,
}: {
  answer: Pick<FormAnswer, 'failure' | 'link'> | undefined;
  meanwhile?: string | undefined;
}) {
  if (failure === undefined) return meanwhile === undefined ? null : <NoteAbove kind="info">{meanwhile}</NoteAbove>;
  return (
    <NoteAbove kind="error">
      {failure}
      {link === undefined ? null : (
        <a href={link.href} target={link.inNewTab === true ? '_blank' : undefined}>
          {link.label}
        </a>
      )}
    </NoteAbove>
  );
}
