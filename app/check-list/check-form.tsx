// The form of a list: pasted, or chosen as a file.
import Info from 'lucide-react/icons/info';
import Lock from 'lucide-react/icons/lock';
import { href, Link } from 'react-router';
import { AnswerForm } from '#app/ui/answer-form.tsx';
import { TableFileField } from '#app/ui/table-file-field.tsx';
import { TextAreaField, TextField } from '#app/ui/field.tsx';
import type { FormAnswer } from '#app/ui/form-answer.ts';
import { FormNotes } from '#app/ui/form-notes.tsx';
import { SubmitButton } from '#app/ui/submit-button.tsx';

type Answer = FormAnswer<string, unknown>;

export function CheckForm({ answer }: { answer: Answer | undefined }) {
  return (
    <>
      <header>
        <h1 className="text-2xl">Check many trucks</h1>
        <p className="pt-1.5 text-lg text-ink-2">
          Paste a list and get one answer for each line, in your order. No account is needed.
        </p>
      </header>
      <FormNotes answer={answer} />
      <AnswerForm
        answer={answer}
        action="/check"
        encType="multipart/form-data"
        className="card grid grid-cols-1 gap-5 p-6 max-row:p-4"
      >
        <ListFields />
        <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
          <div className="sm:w-40 max-sm:w-full">
            <SubmitButton wide busyText="Checking...">
              Check
            </SubmitButton>
          </div>
          <NothingStored />
        </div>
      </AnswerForm>
      <p>
        <Link to={href('/combination')} className="inline-flex min-h-11 items-center font-semibold">
          Check a truck with its trailers
        </Link>
      </p>
      <p className="flex gap-3 rounded-sm border border-line px-4 py-2.5">
        <Info size={20} aria-hidden="true" className="mt-0.5 shrink-0 text-ink-2" />
        <span className="min-w-0 wrap-anywhere">
          40,000 lines an hour from one connection. For programs:{' '}
          <a href="/api/v1/openapi.json" className="link-in-text">
            POST /api/v1/check
          </a>
          .
        </span>
      </p>
    </>
  );
}

/** The fields of the list. `list`: its text, by default what the form's answer says. */
export function ListFields({ list, on }: { list?: string; on?: string }) {
  return (
    <>
      <TextAreaField
        name="list"
        label="Regos or VINs"
        hint="One a line, up to 10,000. Copy them from a spreadsheet if you like."
        rows={8}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="characters"
        placeholder={'XV04KL\nS558BXW\n6T9HZ8FM2PA100418'}
        defaultValue={list}
      />
      <TableFileField
        id="list-file"
        label="or a file of Excel, LibreOffice or CSV"
        hint="The first column of the first sheet, or the one whose heading says rego, plate, registration or VIN."
      />
      <TextField name="on" type="date" label="On a day that is over (optional)" defaultValue={on} />
    </>
  );
}

export function NothingStored() {
  return (
    <p className="flex items-center gap-2 text-sm text-ink-2">
      <Lock size={18} aria-hidden="true" className="shrink-0" />
      Nothing you ask is stored.
    </p>
  );
}
