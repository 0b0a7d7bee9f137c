// What the pages of a report share, whoever reads it: its steps, what is said, and the form of one step.
import type { ReactNode } from 'react';
import { href, Link } from 'react-router';
import { AnswerForm } from '#app/ui/answer-form.tsx';
import { Card } from '#app/ui/card.tsx';
import { FactList } from '#app/ui/fact-list.tsx';
import { describedBy, FieldFrame, TextAreaField } from '#app/ui/field.tsx';
import type { FormAnswer } from '#app/ui/form-answer.ts';
import { useAnswered } from '#app/ui/merged-edits.tsx';
import { NotSavedBar } from '#app/ui/not-saved-bar.tsx';
import { RowIcon } from '#app/ui/row-icon.tsx';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import type { ReportStep } from '#database/report-tables.ts';
import type { ShownReport } from './report-page.server.ts';
import { FILES_HINT, WORDS_MAX } from './report.ts';

/** The steps so far, the last of them the present one, and those ahead. */
export function ReportSteps({ report: { steps, entry } }: { report: Pick<ShownReport, 'steps' | 'entry'> }) {
  const present = steps.findLastIndex(({ done }) => done);
  return (
    <ol className="report-steps px-5 py-4 max-row:px-4">
      {steps.map(({ words, on, done }, place) => (
        <li key={place} aria-current={place === present ? 'step' : undefined} data-done={done || undefined}>
          <RowIcon name={done ? 'check' : 'circle-dashed'} className="row-icon size-5" />
          <p>
            <strong>{words}</strong>
            {on === '' ? null : <span className="block text-ink-2">{on}</span>}
          </p>
        </li>
      ))}
      {entry === null ? null : (
        <li>
          <Link to={href('/log/entries/:index', { index: String(entry) })} className="link-in-text">
            {`Log entry ${entry.toLocaleString('en-AU')}`}
          </Link>
        </li>
      )}
    </ol>
  );
}

/** What it is about, and what was said of it. `page`: the address of this page, under which its files are. */
export function ReportSaid({ report, page, title }: { report: ShownReport; page: string; title: string }) {
  return (
    <Card title={title}>
      <FactList
        facts={[
          {
            label: 'About',
            value: (
              <Link to={report.to} className="link-in-text wrap-anywhere">
                {`${report.rego ?? ''} ${report.record}`.trim()}
              </Link>
            ),
          },
          { label: 'Wrong', value: report.kind },
        ]}
      />
      {report.said.map(({ who, on, words, files }, place) => (
        <div key={place} className="grid gap-2 border-t border-line px-5 py-4 max-row:px-4">
          <p className="flex flex-wrap justify-between gap-x-4">
            <strong>{who}</strong>
            <span className="text-ink-2">{on}</span>
          </p>
          {words === '' ? null : <p className="whitespace-pre-line wrap-anywhere">{words}</p>}
          {files.map(({ id, name }) => (
            <a key={id} href={`${page}/files/${id}`} className="inline-flex min-h-11 items-center gap-2 wrap-anywhere">
              <RowIcon name="file-text" className="row-icon size-5" />
              {name}
            </a>
          ))}
        </div>
      ))}
    </Card>
  );
}

type Answer = FormAnswer<string> | undefined;

/** The form of one step, where the reader may take it. It shows the answer that is its own. */
export function StepForm({
  report,
  step,
  answer,
  button,
  children,
  look = 'primary',
}: {
  report: Pick<ShownReport, 'may' | 'formKey'>;
  step: ReportStep | 'resend';
  answer: Answer;
  button: string;
  children?: ReactNode;
  look?: 'primary' | 'secondary';
}) {
  if (step !== 'resend' && !report.may.includes(step)) return null;
  const own = answer?.values['intent'] === step ? answer : undefined;
  return (
    <AnswerForm
      answer={own}
      idempotencyKey={report.formKey}
      encType="multipart/form-data"
      className="grid grid-cols-1 gap-4"
      noValidate
    >
      <input type="hidden" name="intent" value={step} />
      {children}
      <div>
        <SubmitButton look={look} busyText="Sending...">
          {button}
        </SubmitButton>
      </div>
      <NotSavedBar />
    </AnswerForm>
  );
}

export const WordsField = ({ label, hint }: { label: string; hint?: string }) => (
  <TextAreaField name="words" label={label} hint={hint} maxLength={WORDS_MAX} rows={4} />
);

/** Photos and PDFs. They travel with the form: who sends it may have no account. */
export function FilesField({ id }: { id: string }) {
  const { error } = useAnswered('files');
  const hint = error === undefined ? FILES_HINT : `${FILES_HINT} Choose them again.`;
  return (
    <FieldFrame id={id} name="files" label="Photos or a PDF (optional)" hint={hint} error={error}>
      <input
        type="file"
        id={id}
        name="files"
        multiple
        accept="application/pdf,image/jpeg,image/png,image/webp"
        className="file-input w-full"
        {...describedBy(id, hint, { error })}
      />
    </FieldFrame>
  );
}
