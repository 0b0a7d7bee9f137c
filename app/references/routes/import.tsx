// /references/import: an admin takes weighbridges from a CSV file. A script reads the file into the text field, so that
// what is sent is always what one sees.
import { useRef, useState } from 'react';
import { href, Link } from 'react-router';
import { FAILURES } from '#app/forms/failures.ts';
import { newIdempotencyKey } from '#app/platform/database/idempotency-key.server.ts';
import { AnswerForm } from '#app/ui/answer-form.tsx';
import { TextAreaField } from '#app/ui/field.tsx';
import { FormNotes } from '#app/ui/form-notes.tsx';
import { GoBack } from '#app/ui/go-back.tsx';
import { NotSavedBar } from '#app/ui/not-saved-bar.tsx';
import { NoteAbove } from '#app/ui/note.tsx';
import { titled } from '#app/ui/page-title.ts';
import { sendForm } from '#app/ui/send-form.ts';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import { useLatestAnswer } from '#app/ui/use-latest-answer.ts';
import { type ImportCounts, importReferences } from '../import-references.server.ts';
import { CSV_COLUMNS, type LineProblem, readReferenceCsv } from '../reference-csv.server.ts';
import { z } from 'zod';
import { requireSignedIn } from '#app/access/session.server.ts';
import { refused, submitForm } from '#app/forms/submit-form.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { todayIn } from '#app/platform/time/calendar.ts';
import type { Route } from './+types/import';

// The largest form is 1 MB, and in it a comma or a quote takes three bytes.
const FILE_MAX_BYTES = 500_000;

export const meta = titled('Import weighbridges');

export const loader = () => ({ idempotencyKey: newIdempotencyKey(), columns: CSV_COLUMNS.join(',') });

type More = { problems: LineProblem[] } | { counts: ImportCounts };

const csvSchema = z.object({
  csv: z
    .string()
    .default('')
    .refine((text) => text.trim() !== '', 'Paste the lines of a CSV file, or choose one.'),
});

export function action(args: Route.ActionArgs) {
  return submitForm<typeof csvSchema.shape, More>(args, {
    failure: FAILURES.importReferences,
    schema: csvSchema,
    async write({ input, key }) {
      const { db, config, now } = args.context.get(servicesContext);
      const read = readReferenceCsv(input.csv, todayIn(config.timeZone, now()));
      const answer = read.ok
        ? await importReferences(db, requireSignedIn(args.context), { references: read.references, key })
        : ({ imported: false, problems: read.problems } as const);
      if (!answer.imported)
        return refused(400, {
          code: 'lines-refused',
          sentence: 'Nothing was imported. Mend these lines, and send all of them again.',
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
          written as 2026-03-10. Without “to” a period has 12 months, the registry’s own default. The same file again
          changes nothing.
        </p>
      </div>
      <FormNotes answer={answer} />
      {more !== undefined && 'problems' in more ? <Problems problems={more.problems} /> : null}
      {more !== undefined && 'counts' in more ? <Counts counts={more.counts} /> : null}
      <AnswerForm
        answer={answer}
        idempotencyKey={idempotencyKey}
        className="card grid grid-cols-1 gap-5 p-5 max-row:p-4"
        noValidate
      >
        <CsvField />
        <div className="flex flex-wrap gap-3">
          <SubmitButton busyText="Importing...">Import</SubmitButton>
          <GoBack fallback={href('/references')} />
        </div>
        <NotSavedBar />
      </AnswerForm>
    </main>
  );
}

function CsvField() {
  const fields = useRef<HTMLDivElement>(null);
  const [failure, setFailure] = useState<string>();
  const take = async (file: File) => {
    const area = fields.current?.querySelector('textarea');
    if (area == null) return;
    const read = await readText(file);
    if (read.ok) area.value = read.text;
    setFailure(read.ok ? undefined : read.message);
  };
  return (
    <div ref={fields} className="grid grid-cols-1 gap-5 [&_textarea]:whitespace-pre">
      <label className="scripted-only grid gap-1.5 font-semibold">
        CSV file
        <input
          type="file"
          accept=".csv,text/csv,text/plain"
          className="file-input w-full font-normal"
          onChange={(event) => {
            const [file] = event.currentTarget.files ?? [];
            if (file !== undefined) void take(file);
          }}
        />
      </label>
      {failure === undefined ? null : (
        <p role="alert" className="text-sm font-semibold text-overdue-text">
          {failure}
        </p>
      )}
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
  );
}

async function readText(file: File): Promise<{ ok: true; text: string } | { ok: false; message: string }> {
  if (file.size > FILE_MAX_BYTES)
    return { ok: false, message: `${file.name} is larger than 500 kB. Split it into several files.` };
  try {
    const bytes = await file.arrayBuffer();
    return { ok: true, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return { ok: false, message: `${file.name} is not UTF-8 text. Save it as “CSV UTF-8”, and choose it again.` };
  }
}

function Problems({ problems }: { problems: readonly LineProblem[] }) {
  return (
    <section className="card mb-5 p-5" aria-labelledby="problems">
      <h2 id="problems" className="pb-2 text-lg">
        Lines that cannot be taken
      </h2>
      <ul className="grid gap-1.5">
        {problems.map(({ line, message }) => (
          <li key={`${line} ${message}`} className="wrap-anywhere">
            <strong>{`Line ${line.toLocaleString('en-AU')}`}</strong>
            {`: ${message}`}
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
