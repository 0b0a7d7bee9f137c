import type { FormAnswer } from './form-answer.ts';
import { Note } from './note.tsx';

/** The messages above a form: why it was refused, else what others changed `meanwhile`. */
export function FormNotes({
  answer: { failure, link } = {},
  meanwhile,
}: {
  answer: Pick<FormAnswer, 'failure' | 'link'> | undefined;
  meanwhile?: string | undefined;
}) {
  return (
    <>
      {failure === undefined ? null : (
        <div className="pb-5">
          <Note kind="error">
            {failure}
            {link === undefined ? null : (
              <a href={link.href} target={link.inNewTab === true ? '_blank' : undefined}>
                {link.label}
              </a>
            )}
          </Note>
        </div>
      )}
      {meanwhile === undefined || failure !== undefined ? null : (
        <div className="pb-5">
          <Note kind="info">{meanwhile}</Note>
        </div>
      )}
    </>
  );
}
