// The question before a write that cannot be taken back: a dialog that is also a page.
import { useState, type ReactNode } from 'react';
import { Form } from 'react-router';
import { ButtonLink } from './button-link.tsx';
import { Sheet } from './sheet.tsx';
import { SubmitButton } from './submit-button.tsx';

/** `heading`: of the page behind the dialog. */
export function ConfirmSheet({
  heading,
  title,
  back,
  idempotencyKey,
  confirm,
  children,
}: {
  heading: string;
  title: string;
  back: string;
  idempotencyKey: string;
  /** The word on the button. */
  confirm: string;
  children: ReactNode;
}) {
  // The key stays the same while the dialog is open: sent again after a lost answer, it is the same write.
  const [openedKey] = useState(idempotencyKey);
  return (
    <main id="main">
      <h1 className="text-xl wrap-anywhere">{heading}</h1>
      <Sheet title={title} titleId="confirm-title" closeTo={back} goesBack>
        <Form method="post" className="contents">
          <input type="hidden" name="form_key" value={openedKey} />
          <div className="grid grid-cols-1 gap-4 overflow-y-auto p-5">{children}</div>
          <footer className="flex justify-end gap-3 border-t border-line bg-sunken px-5 py-3 max-sm:grid max-sm:grid-cols-2">
            {/* Focused first, so that pressing Enter at once cancels. */}
            <ButtonLink to={back} data-first-focus>
              Cancel
            </ButtonLink>
            <SubmitButton look="danger">{confirm}</SubmitButton>
          </footer>
        </Form>
      </Sheet>
    </main>
  );
}
