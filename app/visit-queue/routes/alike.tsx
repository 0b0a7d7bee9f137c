// /visits/alike: the visits that wait for the same failed checks (?checks=), to be opened in place and accepted as one
// group. /visits/taken-over: those that only a taken-over line disagrees with.
// The address says which were opened (?seen=), and which is open (?open=): without scripts too, nothing else is kept.
import ChevronLeft from 'lucide-react/icons/chevron-left';
import { href, Link } from 'react-router';
import { z } from 'zod';
import { IfMay } from '#app/access/use-may.tsx';
import { requireSignedIn } from '#app/access/session.server.ts';
import { Subscription } from '#app/activity-log/subscription.tsx';
import { DECISION_REASONS } from '#app/visits/visit.ts';
import { FAILURES } from '#app/forms/failures.ts';
import { newIdempotencyKey } from '#app/platform/database/idempotency-key.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { counted } from '#app/ui/counted.ts';
import { AnswerForm } from '#app/ui/answer-form.tsx';
import { FactList } from '#app/ui/fact-list.tsx';
import { FormNotes } from '#app/ui/form-notes.tsx';
import { KeyHint } from '#app/ui/key-hint.tsx';
import { ListTable } from '#app/ui/list-table.tsx';
import { titled } from '#app/ui/page-title.ts';
import { SelectField } from '#app/ui/select-field.tsx';
import { sendForm } from '#app/ui/send-form.ts';
import { SubmitButton } from '#app/ui/submit-button.tsx';
import { useMarkedRow } from '#app/ui/use-marked-row.ts';
import { RegoChip } from '#app/vehicles/plate.tsx';
import { VerdictBadge } from '#app/vehicles/verdict-badge.tsx';
import { alikeGroup, checksWords, type GroupRow, GROUP_MAX, TAKEN_OVER } from '../alike-group.server.ts';
import { LinesAndReadings } from '../visit-lines.tsx';
import { visitPage, type VisitPage } from '../visit-page.server.ts';
import { decideVisit } from '#app/visits/decide-visit.server.ts';
import { refused, submitForm } from '#app/forms/submit-form.server.ts';
import type { Route } from './+types/alike';

export const meta = titled('Visits with the same failed check');

export async function loader({ context, url }: Route.LoaderArgs) {
  const [services, who] = [context.get(servicesContext), requireSignedIn(context)];
  const given = url.searchParams.get('checks') ?? TAKEN_OVER;
  const checks = given.split('.');
  const group = await alikeGroup(services, who, checks);
  const asked = group.rows.find(({ id }) => id === url.searchParams.get('open'));
  const opened = asked === undefined ? undefined : await visitPage(services, who, asked.id);
  const seen = new Set([...url.searchParams.getAll('seen'), ...(asked === undefined ? [] : [asked.token])]);
  const tokens = group.rows.flatMap(({ token }) => (seen.has(token) ? [token] : []));
  const isTakenOver = checks.includes(TAKEN_OVER);
  const shown = { checks: given, words: checksWords(checks), usual: isTakenOver ? 'taken-over-line' : '' };
  return { ...group, ...shown, opened: opened ?? null, tokens, idempotencyKey: newIdempotencyKey() };
}

const HOW = { decision: 'accepted', note: '', openedState: 'waits' } as const;
/** `all`: how many are to be accepted, by the button for all of them. */
const schema = z.object({
  reason: z.enum(
    DECISION_REASONS.map(({ reason }) => reason),
    { error: 'Choose a public reason.' },
  ),
  all: z.coerce.number().default(0),
});

export function action(args: Route.ActionArgs) {
  const { db, now } = args.context.get(servicesContext);
  return submitForm(args, {
    failure: FAILURES.visit,
    nothing: 'Some may be decided.',
    schema,
    async write({ input: { reason, all }, form, key }) {
      const who = requireSignedIn(args.context);
      const tokens = (form.all.get('visit') ?? []).slice(0, GROUP_MAX);
      if (tokens.length === 0 || tokens.length < all)
        return refused<never>(400, { code: 'not-opened', sentence: 'Nothing is accepted. Open each visit before.' });
      let accepted = 0;
      for (const token of tokens) {
        const [id = '', openedAs = ''] = token.split('.');
        const input = { ...HOW, reason, openedAs };
        if ((await decideVisit(db, who, { visitId: id, input, now: now(), key })).decided) accepted++;
      }
      if (accepted === tokens.length) return { goTo: { flash: 'visits-accepted', to: '/visits' } };
      const sentence = `${accepted} of ${tokens.length} are accepted. The others have changed since you opened them, or are not yours to decide.`;
      return refused<never>(409, { code: 'changed-meanwhile', sentence });
    },
  });
}

export const clientAction = (args: Route.ClientActionArgs) => sendForm(args, FAILURES.visit);

export default function Alike({ loaderData, actionData: answer }: Route.ComponentProps) {
  const { since, rows, leftOut, reasons, checks, words, usual, opened, tokens, idempotencyKey } = loaderData;
  const addressOf = (id: string) => {
    const params = new URLSearchParams([['checks', checks], ...tokens.map((token) => ['seen', token])]);
    if (id !== opened?.id) params.set('open', id);
    return `${href('/visits/alike')}?${params.toString()}`;
  };
  const marked = useMarkedRow(rows.map(({ id }) => addressOf(id)));
  return (
    <main id="main" className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <Subscription topics={['vehicles', 'visits', 'policy']} since={since} />
      <div className="flex flex-wrap items-end justify-between gap-3">
        <div>
          <Link to="/visits" className="inline-flex min-h-11 items-center gap-1 font-semibold">
            <ChevronLeft size={18} aria-hidden="true" />
            Visits waiting
          </Link>
          <h1 className="text-xl">{`${counted(rows.length, 'visit', 'visits')} with the same failed check`}</h1>
          <p className="text-sm text-ink-2">{`${words}. Open each visit, then accept them together.`}</p>
        </div>
        <span className="flex gap-4">
          <KeyHint keys={['J', 'K']} words="move" />
          <KeyHint keys={['Enter']} words="open in place" />
        </span>
      </div>
      <FormNotes answer={answer} />
      <div className="card">
        {rows.length === 0 ? (
          <p className="px-5 py-4">None waits for you.</p>
        ) : (
          <ListTable
            caption="Visits with the same failed check"
            columns={[
              ['Seen'],
              ['Rego'],
              ['Visit', WIDE],
              ['Technician', WIDE],
              ['Everything else', WIDE],
              ['Now', WIDE],
              ['If accepted'],
            ]}
          >
            {rows.map((row, place) => (
              <Row
                key={row.id}
                row={row}
                to={addressOf(row.id)}
                isSeen={tokens.includes(row.token)}
                isMarked={place === marked}
              >
                {opened?.id === row.id ? <Opened page={opened} /> : null}
              </Row>
            ))}
          </ListTable>
        )}
        {leftOut === 0 ? null : (
          <p className="border-t border-line px-5 py-3 text-sm text-ink-2">
            {`Left out: ${leftOut} that ${leftOut === 1 ? 'fails' : 'fail'} another check too, or that another admin decides about. `}
            <Link to="/visits">All that wait</Link>
          </p>
        )}
      </div>
      {rows.length === 0 ? null : (
        <IfMay to="decide visits">
          <AnswerForm
            answer={answer}
            idempotencyKey={idempotencyKey}
            className="card flex flex-wrap items-end justify-between gap-3 p-4"
          >
            {tokens.map((token) => (
              <input key={token} type="hidden" name="visit" value={token} />
            ))}
            <SelectField
              name="reason"
              label="Public reason, for each of them"
              empty="Choose a reason"
              defaultValue={answer?.values.reason ?? usual}
              groups={[{ options: reasons }]}
            />
            <p className="min-w-0 flex-1 basis-60">
              <b>{`${tokens.length} of ${rows.length} seen.`}</b>
              {' Each gets its own decision and log entry. It cannot be undone.'}
            </p>
            {tokens.length === 0 || tokens.length === rows.length ? null : (
              <SubmitButton look="secondary">{`Accept the ${tokens.length} seen`}</SubmitButton>
            )}
            <button
              type="submit"
              name="all"
              value={rows.length}
              disabled={tokens.length < rows.length}
              className="button-look button-primary"
            >
              {rows.length === 1 ? 'Accept it' : `Accept these ${rows.length}`}
            </button>
          </AnswerForm>
        </IfMay>
      )}
    </main>
  );
}

const WIDE = 'max-lg:hidden';

function Row({
  row,
  to,
  isSeen,
  isMarked,
  children,
}: {
  row: GroupRow;
  to: string;
  isSeen: boolean;
  isMarked: boolean;
  children: React.ReactNode;
}) {
  return (
    <>
      <tr
        className={`border-b border-line last:border-b-0 hover:bg-hover ${isMarked || children !== null ? 'bg-accent-soft' : ''}`}
      >
        <td className="py-2 whitespace-nowrap">{isSeen ? <b>Seen</b> : <span className="text-ink-3">not yet</span>}</td>
        <th scope="row" className="py-2 font-normal">
          <Link
            to={to}
            preventScrollReset
            aria-expanded={children !== null}
            className="quiet-link inline-flex min-h-11 items-center"
          >
            <RegoChip rego={row.rego} />
            <span className="sr-only">{`, visit of ${row.day}`}</span>
          </Link>
          <span className="hidden text-sm text-ink-2 max-lg:block">{`${row.day} · ${row.technician} · ${row.others}`}</span>
        </th>
        <td className={`${WIDE} whitespace-nowrap`}>{row.day}</td>
        <td className={`${WIDE} wrap-anywhere`}>{row.technician}</td>
        <td className={`${WIDE} whitespace-nowrap`}>{row.others}</td>
        <td className={WIDE}>
          <VerdictBadge verdict={row.now} />
        </td>
        <td>
          <VerdictBadge verdict={row.ifAccepted} />
        </td>
      </tr>
      {children === null ? null : (
        <tr className="border-b border-line last:border-b-0">
          <td colSpan={7} className="p-0!">
            {children}
          </td>
        </tr>
      )}
    </>
  );
}

function Opened({ page }: { page: VisitPage }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start xl:grid-cols-[minmax(0,1fr)_18rem]">
      <div>
        {page.held.map(({ name, sentence }) => (
          <p key={name} className="px-5 py-2 font-semibold">
            {sentence}
          </p>
        ))}
        <LinesAndReadings page={page} />
      </div>
      <div className="text-sm">
        <FactList facts={page.facts} />
        <p className="px-5">
          <Link to={href('/visits/:id', { id: page.id })} className="inline-flex min-h-11 items-center">
            {page.photos.length === 0 ? 'Open the visit' : 'Open the visit, with its photo'}
          </Link>
        </p>
      </div>
    </div>
  );
}
