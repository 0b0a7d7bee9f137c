// The confirmation before a record is deleted, which names the record.
import type { ReactNode } from 'react';
import { ConfirmSheet } from './confirm-sheet.tsx';
import { failureText, type Failure } from './form-answer.ts';
import { Note } from './note.tsx';

export function DeleteRecord({
  title,
  record,
  consequence,
  back,
  failure,
  idempotencyKey,
  children,
}: {
  /** The title of the page behind the dialog. */
  title: string;
  /** Which record it is, so that nobody deletes the wrong one. */
  record: ReactNode;
  consequence: string;
  back: string;
  failure: Failure | undefined;
  idempotencyKey: string;
  /** Further fields. */
  children?: ReactNode;
}) {
  return (
    <ConfirmSheet heading={title} title="Delete record" back={back} idempotencyKey={idempotencyKey} confirm="Delete">
      {failure === undefined ? null : <Note kind="error">{failureText(failure)}</Note>}
      {record}
      <p className="text-lg font-bold">Are you sure that you wanted to delete this record.</p>
      <p className="text-sm text-ink-2">{consequence}</p>
      {children}
    </ConfirmSheet>
  );
}
