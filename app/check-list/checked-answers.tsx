// The answers to a list: counts that filter, one page of the lines, and the files of the whole answer. All of it is one
// form, so that the list travels once.
import Bell from 'lucide-react/icons/bell';
import Download from 'lucide-react/icons/download';
import FileCheck from 'lucide-react/icons/file-check-corner';
import Pencil from 'lucide-react/icons/pencil';
import Printer from 'lucide-react/icons/printer';
import { href } from 'react-router';
import { AnswerForm } from '#app/ui/answer-form.tsx';
import { ListTable } from '#app/ui/list-table.tsx';
import { counted } from '#app/ui/counted.ts';
import type { FormAnswer } from '#app/ui/form-answer.ts';
import { FormNotes } from '#app/ui/form-notes.tsx';
import { RegoChip } from '#app/vehicles/plate.tsx';
import { ValidCalibrationBadge, VerdictBadge } from '#app/vehicles/verdict-badge.tsx';
import { ListFields, NothingStored } from './check-form.tsx';
import { sendForFile } from '#app/ui/send-for-file.ts';
import type { CheckedAnswer, ShownAnswer } from './checked-list.ts';

type Answer = FormAnswer<string, unknown>;

export function CheckedAnswers({ checked, answer }: { checked: CheckedAnswer; answer: Answer | undefined }) {
  const isWrong = answer?.errors['list'] !== undefined || answer?.errors['file'] !== undefined;
  return (
    <AnswerForm
      answer={answer}
      action="/check"
      encType="multipart/form-data"
      className="grid grid-cols-1 gap-4"
      onSubmit={sendForFile}
    >
      <input type="hidden" name="told" value={checked.told} />
      <input type="hidden" name="show" value={checked.show} />
      <header className="flex flex-wrap items-start justify-between gap-3">
        <div>
          <h1 className="text-2xl">{`${counted(checked.total, 'line', 'lines')} checked`}</h1>
          <p className="pt-1 text-ink-2">{`As at ${checked.asAt}`}</p>
        </div>
        <Files />
      </header>
      <FormNotes answer={answer} />
      <section className={checked.on === '' ? 'card' : 'card verdict-past'} aria-label="Answers">
        <Counts checked={checked} />
        <Rows rows={checked.rows} />
        <Pages checked={checked} />
        <Foot checked={checked} />
      </section>
      <details className="no-print card group" open={isWrong}>
        <summary className="flex min-h-14 cursor-pointer items-center gap-2.5 px-5 font-semibold max-row:px-4">
          <Pencil size={18} aria-hidden="true" />
          Change the list
        </summary>
        <div key={checked.told.slice(0, 16)} className="grid grid-cols-1 gap-5 border-t border-line p-5 max-row:p-4">
          <ListFields list={answer?.values['list'] ?? checked.list} on={answer?.values['on'] ?? checked.on} />
          <div>
            <button type="submit" name="told" value="" className="button-look button-primary sm:min-w-40">
              Check again
            </button>
          </div>
        </div>
      </details>
      <NothingStored />
    </AnswerForm>
  );
}

function Files() {
  return (
    <div className="no-print flex flex-wrap gap-2 max-sm:w-full max-sm:[&>*]:grow">
      <button type="button" className="scripted-only button-look button-secondary" onClick={() => window.print()}>
        <Printer size={18} aria-hidden="true" />
        Print
      </button>
      <button type="submit" formAction="/check/follow" formTarget="_blank" className="button-look button-secondary">
        <Bell size={18} aria-hidden="true" />
        Follow
      </button>
      <button type="submit" formAction="/check/answer.csv" className="button-look button-secondary">
        <Download size={18} aria-hidden="true" />
        CSV
      </button>
      <button type="submit" formAction="/check/receipt.pdf" className="button-look button-primary max-sm:w-full">
        <FileCheck size={18} aria-hidden="true" />
        Receipt (PDF)
      </button>
    </div>
  );
}

function Counts({ checked: { counts, show, total } }: { checked: CheckedAnswer }) {
  const chips = [{ kind: 'all' as const, word: 'All', count: total }, ...counts.filter(({ count }) => count > 0)];
  return (
    <ul className="no-print flex flex-wrap gap-2 px-5 py-3 max-row:px-4" aria-label="Show">
      {chips.map(({ kind, word, count }) => (
        <li key={kind}>
          <button
            type="submit"
            name="show"
            value={kind}
            aria-current={kind === show ? 'true' : undefined}
            className="filter-link cursor-pointer bg-surface"
          >
            {word}
            <span className="font-normal">{count.toLocaleString('en-AU')}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

const WIDE = 'max-row:hidden';
const COLUMNS = [
  ['Line', 'text-right'],
  ['Asked for'],
  ['Answer', 'max-row:text-right'],
  ['Due', WIDE],
  ['What it rests on', WIDE],
] as const;

function Rows({ rows }: { rows: readonly ShownAnswer[] }) {
  return (
    <ListTable caption="The answer to each line" columns={COLUMNS}>
      {rows.map((row) => (
        <Row key={row.number} row={row} />
      ))}
    </ListTable>
  );
}

function Row({ row }: { row: ShownAnswer }) {
  const { number, verdict, matchesLog, answer, due } = row;
  return (
    <tr
      className={`border-b border-line align-middle last:border-b-0 max-row:align-top ${verdict === null ? 'bg-sunken' : ''}`}
    >
      <td className="py-2.5 text-right text-ink-2">{number.toLocaleString('en-AU')}</td>
      <th scope="row" className="py-2 font-normal">
        <Asked row={row} />
        <SecondLine row={row} />
      </th>
      <td className="py-2 max-row:text-right">
        {verdict === null ? (
          <span className="inline-block py-0.5 font-semibold text-ink-2">{answer}</span>
        ) : (
          <Verdict verdict={verdict} matchesLog={matchesLog} />
        )}
      </td>
      <td className={`py-2.5 whitespace-nowrap ${WIDE}`}>{verdict !== null && due === '' ? '–' : due}</td>
      <td className={`py-2.5 text-sm wrap-anywhere ${WIDE}`}>
        <Words row={row} />
      </td>
    </tr>
  );
}

// On a phone, in place of two columns. It runs on below the answer, and so does not widen its own column.
function SecondLine({ row }: { row: ShownAnswer }) {
  return (
    <span className="hidden w-0 text-sm text-ink-2 max-row:block">
      <span className="block w-[calc(100vw-7.5rem)] pt-1 wrap-anywhere">
        {row.due === '' ? null : `Due ${row.due} · `}
        <Words row={row} />
      </span>
    </span>
  );
}

// Each opens in a tab of its own: the list and its answers stay.
function TruckLink({ rego, className, children }: { rego: string; className: string; children: React.ReactNode }) {
  return (
    <a href={href('/vehicles/view/:rego', { rego })} target="_blank" rel="noreferrer" className={className}>
      {children}
    </a>
  );
}

function Asked({ row: { asked, rego } }: { row: ShownAnswer }) {
  if (rego === null)
    return (
      <span className="inline-block py-0.5 font-mono text-sm wrap-anywhere">{asked === '' ? '(nothing)' : asked}</span>
    );
  const isItsRego =
    asked
      .normalize('NFKC')
      .toUpperCase()
      .replaceAll(/[^A-Z0-9]/g, '') === rego;
  return (
    <TruckLink rego={rego} className="quiet-link inline-flex min-h-9 items-center max-row:min-h-11">
      {isItsRego ? (
        <RegoChip rego={rego} />
      ) : (
        <span className="font-mono text-sm wrap-anywhere underline">{asked}</span>
      )}
    </TruckLink>
  );
}

function Verdict({ verdict, matchesLog }: { verdict: NonNullable<ShownAnswer['verdict']>; matchesLog: boolean }) {
  return matchesLog ? (
    <VerdictBadge verdict={verdict} />
  ) : (
    <ValidCalibrationBadge verdict={verdict} matchesLog={false} />
  );
}

function Words({ row: { before, regos, after } }: { row: ShownAnswer }) {
  return (
    <>
      {before}
      {regos.map((rego, place) => (
        <span key={rego}>
          {place === 0 ? '' : ', '}
          <TruckLink rego={rego} className="link-in-text">
            {rego}
          </TruckLink>
        </span>
      ))}
      {after}
    </>
  );
}

function Pages({ checked: { page, pages } }: { checked: CheckedAnswer }) {
  if (pages === 1) return null;
  const step = (to: number, label: string) => (
    <button
      type="submit"
      name="page"
      value={to}
      disabled={to < 1 || to > pages}
      className="button-look button-secondary disabled:opacity-50"
    >
      {label}
    </button>
  );
  return (
    <nav
      aria-label="Pages of answers"
      className="no-print flex flex-wrap items-center justify-between gap-3 border-t border-line px-5 py-3 max-row:px-4"
    >
      {step(page - 1, 'Previous')}
      <span>{`Page ${page} of ${pages}`}</span>
      {step(page + 1, 'Next')}
    </nav>
  );
}

function Foot({ checked: { total, log } }: { checked: CheckedAnswer }) {
  return (
    <p className="flex flex-wrap justify-between gap-x-6 gap-y-1 border-t border-line px-5 py-3 text-sm text-ink-2 max-row:px-4">
      <span>{`${counted(total, 'line', 'lines')} asked, ${total.toLocaleString('en-AU')} answered, none skipped. 200 to a page.`}</span>
      {log === null ? null : (
        <span>
          {`Log of ${counted(log.size, 'entry', 'entries')}, root `}
          <code
            className="font-mono wrap-anywhere"
            title={log.rootHex}
          >{`${log.rootHex.slice(0, 8)}…${log.rootHex.slice(-4)}`}</code>
        </span>
      )}
    </p>
  );
}
