// /vehicles/import: an admin takes vehicles from a table. The file travels with the form: first its preview is
// shown, then it is imported block by block, with scripts by itself.
import Pencil from 'lucide-react/icons/pencil';
import { href } from 'react-router';
import { FAILURES } from '#app/forms/failures.ts';
import { AnswerForm } from '#app/ui/answer-form.tsx';
import { TableFileField } from '#app/ui/table-file-field.tsx';
import { TextAreaField } from '#app/ui/field.tsx';
import { FormNotes, useLatestAnswer } from '#app/ui/form-notes.tsx';
import { GoBack } from '#app/ui/go-back.tsx';
import { titled } from '#app/ui/page-title.ts';
import { sendForFile } from '#app/ui/send-for-file.ts';
import { sendForm } from '#app/ui/send-form.ts';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import { EXPORTED_COLUMNS } from '#app/vehicles/export-columns.ts';
import { VEHICLE_FIELDS } from '#app/vehicles/vehicle-fields.ts';
import { importAction } from '../import-action.server.ts';
import { ImportPreviewed } from '../import-previewed.tsx';
import { ImportRunning } from '../import-running.tsx';
import type { Route } from './+types/import';

export const meta = titled('Import vehicles');

export const loader = () => ({
  columns: EXPORTED_COLUMNS.filter((name) => name === 'rego' || VEHICLE_FIELDS.some((field) => field.name === name)),
});

export const action = (args: Route.ActionArgs) => importAction(args);

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, FAILURES.importVehicles);

export default function ImportVehicles({ loaderData: { columns }, actionData }: Route.ComponentProps) {
  const shown = useLatestAnswer(actionData?.more);
  const isWrong = actionData?.errors.csv !== undefined || actionData?.errors.file !== undefined;
  return (
    <main id="main" className="max-w-220">
      <h1 className="pb-3 text-xl">Import vehicles</h1>
      {shown === undefined ? <Help columns={columns} /> : null}
      <FormNotes answer={actionData} />
      <AnswerForm
        answer={actionData}
        action={href('/vehicles/import')}
        encType="multipart/form-data"
        className="grid grid-cols-1 gap-5"
        onSubmit={sendForFile}
      >
        {shown === undefined ? (
          <div className="card grid grid-cols-1 gap-5 p-5 max-row:p-4">
            <CsvFields />
            <div className="flex flex-wrap gap-3">
              <SubmitButton busyText="Reading...">Preview</SubmitButton>
              <GoBack fallback={href('/vehicles')} />
            </div>
          </div>
        ) : (
          <>
            <input type="hidden" name="seen" value={shown.seen} />
            {shown.step === 'preview' ? (
              <ImportPreviewed preview={shown} />
            ) : (
              <ImportRunning progress={shown} isStopped={actionData?.failure !== undefined} />
            )}
            {shown.step === 'import' && shown.next !== null ? (
              <textarea name="csv" defaultValue={shown.csv} hidden aria-label="Lines" />
            ) : (
              <details className="card group" open={isWrong}>
                <summary className="flex min-h-14 cursor-pointer items-center gap-2.5 px-5 font-semibold max-row:px-4">
                  <Pencil size={18} aria-hidden="true" />
                  {shown.step === 'preview' ? 'Change the lines' : 'Import other lines'}
                </summary>
                <div className="grid grid-cols-1 gap-5 border-t border-line p-5 max-row:p-4">
                  <CsvFields csv={shown.csv} />
                  <div>
                    <button type="submit" name="step" value="preview" className="button-look button-secondary">
                      Preview again
                    </button>
                  </div>
                </div>
              </details>
            )}
          </>
        )}
      </AnswerForm>
    </main>
  );
}

function Help({ columns }: { columns: readonly string[] }) {
  return (
    <div className="grid gap-2 pb-5 text-ink-2">
      <p>A line for each vehicle, up to 10,000. The first line names the columns:</p>
      <p className="font-mono text-sm break-words text-ink">{columns.join(', ')}</p>
      <p>
        Only rego is needed. A rego that is not in the registry is added; of others the line changes what it gives, and
        an empty cell changes nothing. A file of ‘Export CSV’ can be changed and imported: in Excel take ‘For Excel’,
        which keeps zeros in front. Days are written as 2026-03-10 or day first, 10/03/2026. Due dates and validations
        are not imported: each is decided on the vehicle’s own page.
      </p>
      <p>You see first what would be done. Nothing is written before you say so.</p>
    </div>
  );
}

function CsvFields({ csv }: { csv?: string }) {
  return (
    <div className="grid grid-cols-1 gap-5 [&_textarea]:whitespace-pre">
      <TableFileField id="vehicles-file" label="Excel, LibreOffice or CSV file" />
      <TextAreaField
        name="csv"
        label="or its lines"
        hint="Paste them here, with the line that names the columns."
        rows={10}
        spellCheck={false}
        autoComplete="off"
        defaultValue={csv}
      />
    </div>
  );
}
