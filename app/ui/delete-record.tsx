// The confirmation before a record is deleted: a dialog that is also a page, and names the record.
import { useState, type ReactNode } from 'react';
import { Form } from 'react-router';
import { ButtonLink } from './button-link.tsx';
import { Note } from './note.tsx';
import { Sheet } from './sheet.tsx';
import { SubmitButton } from './submit-button.tsx';

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
  failure: string | undefined;
  idempotencyKey: string;
  /** Further fields. */
  children?: ReactNode;
}) {
  // The key stays the same while the dialog is open: sent again after a lost answer, it is the same deletion.
  const [openedKey] = useState(idempotencyKey);
  return (
    <main id="main">
      <h1 className="text-xl wrap-anywhere">{title}</h1>
      <Sheet title="Delete record" titleId="delete-title" closeTo={back} goesBack>
        <Form method="post" className="contents">
          <input type="hidden" name="form_key" value={openedKey} />
          <div className="grid grid-cols-1 gap-4 overflow-y-auto p-5">
            {failure === undefined ? null : <Note kind="error">{failure}</Note>}
            {record}
            <p className="text-lg font-bold">Are you sure that you wanted to delete this record.</p>
            <p className="text-sm text-ink-2">{consequence}</p>
            {children}
          </div>
          <footer className="flex justify-end gap-3 border-t border-line bg-sunken px-5 py-3 max-sm:grid max-sm:grid-cols-2">
            {/* Focused first, so that pressing Enter at once cancels. */}
            <ButtonLink to={back} data-first-focus>
              Cancel
            </ButtonLink>
            <SubmitButton look="danger">Delete</SubmitButton>
          </footer>
        </Form>
      </Sheet>
    </main>
  );
}
