// What the page of a report shows, whoever reads it: its steps, what is said, and the form of one step.
import type { ReactNode } from 'react';
import { href, Link } from 'react-router';
import { AnswerForm } from '#app/ui/answer-form.tsx';
import { Card } from '#app/ui/card.tsx';
import { AnsweredField, TextAreaField } from '#app/ui/field.tsx';
import type { FormAnswer } from '#app/ui/form-answer.ts';
import { NotSavedBar } from '#app/ui/form-notes.tsx';
import { RowIcon } from '#app/ui/row-icon.tsx';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import type { ReportStep } from '#database/report-tables.ts';
import type { ShownReport } from './report-page.server.ts';
import { FILES_MAX, WORDS_MAX } from './report.ts';

// In ink, without a hue, so that no step looks like a verdict.
const DONE =
  'rounded-full bg-ink p-0.5 text-surface group-aria-[current=step]:bg-surface group-aria-[current=step]:text-ink group-aria-[current=step]:outline-2';

/** The steps so far, the last of them the present one, and those ahead. */
export function ReportSteps({ report: { steps, entry } }: { report: ShownReport }) {
  const present = steps.findLastIndex(({ done }) => done);
  return (
    <ol className="grid gap-3 px-5 py-4 max-row:px-4">
      {steps.map(({ words, on, done }, place) => (
        <li key={place} aria-current={place === present ? 'step' : undefined} className="group flex items-start gap-3">
          <RowIcon
            name={done ? 'check' : 'circle-dashed'}
            className={`row-icon size-5 ${done ? DONE : 'text-ink-2'}`}
          />
          <p>
            <strong>{words}</strong> <span className="block text-ink-2">{on}</span>
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

/** What was said of it. `fileAt`: the address of a file. */
export function ReportSaid({ report, fileAt }: { report: ShownReport; fileAt: (id: string) => string }) {
  return (
    <Card title={report.kind}>
      {report.said.map(({ who, on, words, files }, place) => (
        <div key={place} className="grid gap-2 border-b border-line px-5 py-4 last:border-b-0 max-row:px-4">
          <p>
            <strong>{who}</strong> <span className="text-ink-2">{on}</span>
          </p>
          <p className="whitespace-pre-line wrap-anywhere">{words}</p>
          {files.map(({ id, name }) => (
            <a key={id} href={fileAt(id)} className="inline-flex min-h-11 items-center gap-2 wrap-anywhere">
              <RowIcon name="file-text" className="row-icon size-5" />
              {name}
            </a>
          ))}
        </div>
      ))}
    </Card>
  );
}

/** The form of one step in a card, where the reader may take it. It shows the answer that is its own. */
export function StepForm({
  report: { may, idempotencyKey },
  step,
  answer,
  title,
  button,
  children,
}: {
  report: ShownReport;
  step: ReportStep;
  answer: FormAnswer | undefined;
  title: string;
  button: string;
  children?: ReactNode;
}) {
  if (!may.includes(step)) return null;
  return (
    <Card title={title}>
      <AnswerForm
        answer={answer?.values['intent'] === step ? answer : undefined}
        idempotencyKey={idempotencyKey}
        encType="multipart/form-data"
        className="grid grid-cols-1 gap-4 p-5 max-row:p-4"
      >
        <input type="hidden" name="intent" value={step} />
        {children}
        <SubmitButton look={step === 'taken-back' || step === 'spam' ? 'secondary' : 'primary'}>{button}</SubmitButton>
        <NotSavedBar />
      </AnswerForm>
    </Card>
  );
}

export const WordsField = ({ label, hint }: { label: string; hint?: string }) => (
  <TextAreaField name="words" label={label} hint={hint} maxLength={WORDS_MAX} rows={4} />
);

/** Photos and PDFs. They travel with the form: who sends it may have no account. */
export const FilesField = () => (
  <AnsweredField
    name="files"
    label="Photos or a PDF (optional)"
    hint={`Up to ${FILES_MAX} files, together 20 MB. Choose them last: a form that is refused does not hold them.`}
  >
    {({ id, name, ...described }) => (
      <input
        {...{ id, name }}
        aria-describedby={described['aria-describedby']}
        type="file"
        multiple
        accept="application/pdf,image/*"
        className="file-input w-full"
      />
    )}
  </AnsweredField>
);
