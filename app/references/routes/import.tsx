// /references/import: an admin takes weighbridges from a table. What was read of a file stands in the text field of the
// answer, to be mended.
import Download from 'lucide-react/icons/download';
import { href, Link } from 'react-router';
import { FAILURES } from '#app/forms/failures.ts';
import { newIdempotencyKey } from '#app/platform/database/idempotency-key.server.ts';
import { AnswerForm } from '#app/ui/answer-form.tsx';
import { TextAreaField } from '#app/ui/field.tsx';
import { FormNotes, NotSavedBar, useLatestAnswer } from '#app/ui/form-notes.tsx';
import { GoBack } from '#app/ui/go-back.tsx';
import { NoteAbove } from '#app/ui/note.tsx';
import { titled } from '#app/ui/page-title.ts';
import { sendForFile } from '#app/ui/send-for-file.ts';
import { sendForm } from '#app/ui/send-form.ts';
import { TableFileField } from '#app/ui/table-file-field.tsx';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import { type ImportCounts, importReferences } from '../import-references.server.ts';
import { CSV_COLUMNS, type LineProblem, readReferenceCsv } from '../reference-csv.server.ts';
import { requireSignedIn } from '#app/access/session.server.ts';
import { refused, submitReadForm } from '#app/forms/submit-form.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { takenLines } from '#app/platform/http/read-table.server.ts';
import type { ReadTable } from '#app/platform/http/read-workbook.server.ts';
import { textOfFile } from '#app/platform/http/table-file.server.ts';
import { todayIn } from '#app/platform/time/calendar.ts';
import type { Route } from './+types/import';

export const meta = titled('Import weighbridges');

export const loader = () => ({ idempotencyKey: newIdempotencyKey(), columns: CSV_COLUMNS.join(',') });

type More = { problems: LineProblem[] } | { counts: ImportCounts };

type Input = { text: string; taken: ReadonlySet<number> };

export function action(args: Route.ActionArgs) {
  return submitReadForm<Input, 'csv' | 'file', More>(args, {
    failure: FAILURES.importReferences,
    async read({ fields, files, all }) {
      const pasted = fields.get('csv') ?? '';
      const file = files.findLast(({ field }) => field === 'file')?.bytes;
      const read: ReadTable = file === undefined ? { ok: true, text: pasted } : await textOfFile(file);
      if (!read.ok) return { ok: false, values: { csv: pasted }, errors: { file: read.message } };
      const values = { csv: read.text };
      return read.text.trim() === ''
        ? { ok: false, values, errors: { csv: 'Paste the lines of a table, or choose a file.' } }
        : { ok: true, values, input: { text: read.text, taken: takenLines(all.get('take')) } };
    },
    async write({ input: { text, taken }, key }) {
      const { db, config, now } = args.context.get(servicesContext);
      const read = readReferenceCsv(text, todayIn(config.timeZone, now()), taken);
      const answer = read.ok
        ? await importReferences(db, requireSignedIn(args.context), { references: read.references, taken, key })
        : ({ imported: false, problems: read.problems } as const);
      if (!answer.imported)
        return refused(400, {
          code: 'lines-refused',
          sentence: 'Nothing was imported. Mend these lines, or tick those that are right, and send all of them again.',
          errors: { csv: 'Some lines cannot be taken. They are listed above.' },
          more: { problems: answer.problems },
        });
      const { added, updated, periods } = answer.counts;
      const flash = added + updated + periods === 0 ? 'references-unchanged' : 'references-imported';
      return { shown: true, more: { counts: answer.counts }, unscripted: { flash, to: href('/references') } };
    },
  });
}

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, FAILURES.importReferences);

export default function ImportReferences({ loaderData, actionData }: Route.ComponentProps) {
  const { idempotencyKey, columns } = loaderData;
  const answer = useLatestAnswer(actionData);
  const more = answer?.more;
  return (
    <main id="main" className="max-w-200">
      <h1 className="pb-3 text-xl">Import weighbridges</h1>
      <div className="grid gap-2 pb-5 text-ink-2">
        <p>A line for each verification period, or for a weighbridge without one. The first line names the columns:</p>
        <p className="font-mono text-sm break-words text-ink">{columns.replaceAll(',', ', ')}</p>
        <p>
          Name, place and state are needed, and say which weighbridge it is. An empty cell changes nothing. Days are
          written as 2026-03-10 or day first, 10/03/2026. Without “to” a period has 12 months, the registry’s own
          default. The same file again changes nothing.
        </p>
      </div>
      <FormNotes answer={answer} />
      {more !== undefined && 'counts' in more ? <Counts counts={more.counts} /> : null}
      <AnswerForm
        answer={answer}
        idempotencyKey={idempotencyKey}
        encType="multipart/form-data"
        className="card grid grid-cols-1 gap-5 p-5 max-row:p-4"
        onSubmit={sendForFile}
      >
        {more !== undefined && 'problems' in more ? <Problems problems={more.problems} /> : null}
        {/* After an answer the lines below are sent, not the file once more. */}
        <TableFileField
          key={answer?.values.csv?.length}
          id="weighbridges-file"
          label="Excel, LibreOffice or CSV file"
        />
        <div className="[&_textarea]:whitespace-pre">
          <TextAreaField
            name="csv"
            label="Lines"
            hint="Paste them here, with the line that names the columns."
            rows={12}
            spellCheck={false}
            autoComplete="off"
            required
          />
        </div>
        <div className="flex flex-wrap gap-3">
          <SubmitButton busyText="Importing...">Import</SubmitButton>
          <GoBack fallback={href('/references')} />
        </div>
        <NotSavedBar />
      </AnswerForm>
    </main>
  );
}

function Problems({ problems }: { problems: readonly LineProblem[] }) {
  return (
    <section aria-labelledby="problems">
      <div className="flex flex-wrap items-center justify-between gap-3 pb-2">
        <h2 id="problems" className="text-lg">
          Lines that cannot be taken
        </h2>
        <button type="submit" formAction="/references/import/left-out.csv" className="button-look button-secondary">
          <Download size={18} aria-hidden="true" />
          These lines (CSV)
        </button>
      </div>
      <ul className="grid gap-1.5">
        {problems.map(({ line, message, question }) => (
          <li key={`${line} ${message}`} className="wrap-anywhere">
            <strong>{`Line ${line.toLocaleString('en-AU')}`}</strong>
            {`: ${message}`}
            {question === undefined ? null : (
              <label className="flex min-h-(--size-target) items-center gap-2">
                <input type="checkbox" name="take" value={line} className="size-5 accent-accent" />
                It is right as it stands
              </label>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Counts({ counts: { added, updated, unchanged, periods, withdrawn } }: { counts: ImportCounts }) {
  const parts = [
    `Weighbridges: ${added} added, ${updated} updated, ${unchanged} unchanged.`,
    `Verification periods: ${periods} added${withdrawn === 0 ? '' : `, ${withdrawn} withdrawn here and left so`}.`,
  ];
  return (
    <NoteAbove kind="success">
      {`${parts.join(' ')} `}
      <Link to={href('/references')}>All weighbridges</Link>
    </NoteAbove>
  );
}
