// The outbox: each visit on this phone, what became of it, and what can be done with it. Only its own person sees it.
import CircleAlert from 'lucide-react/icons/circle-exclamation-point';
import CircleCheck from 'lucide-react/icons/circle-check';
import ClockAlert from 'lucide-react/icons/clock-exclamation-point';
import Hourglass from 'lucide-react/icons/hourglass';
import Pencil from 'lucide-react/icons/pencil';
import Smartphone from 'lucide-react/icons/smartphone';
import type { LucideIcon } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { ButtonLink } from '#app/ui/button-link.tsx';
import { counted } from '#app/ui/counted.ts';
import { formatBytes } from '#app/platform/http/format-bytes.ts';
import { addDays, formatDay, isDay } from '#app/platform/time/calendar.ts';
import { RegoChip } from '#app/vehicles/plate.tsx';
import { durationWords } from '#app/platform/time/duration.ts';
import { asAtWords } from './age.ts';
import { STALE_MS } from './field.ts';
import { deleteVisit, leftOutWords, sendAgain } from './outbox.ts';
import { OpenFile, Registered } from './outbox-foot.tsx';
import type { KeptVisit } from './phone-store.ts';
import { Question } from './question.tsx';
import type { Field, OnThisPhone } from './use-field.ts';
import { visitFile, visitFileName } from './visit-file.ts';

export function OutboxList({ field, phone }: { field: Field; phone: OnThisPhone }) {
  const { visits } = phone;
  const of = (...states: KeptVisit['state'][]) => visits.filter(({ state }) => states.includes(state));
  const [unsent, refused, sent] = [of('unsent', 'draft'), of('refused'), of('recorded')];
  const [isTrying, setIsTrying] = useState(false);
  const tryNow = async () => {
    setIsTrying(true);
    await field.refresh();
    setIsTrying(false);
  };
  return (
    <>
      <header className="grid gap-1">
        <h1 className="text-xl">{headline(unsent.length, refused.length)}</h1>
        {unsent.length + refused.length > 0 ? (
          <p>They are only on this phone. Unsent visits go by themselves when there is signal.</p>
        ) : (
          isInstalled() && <p>{IN_BROWSER}</p>
        )}
      </header>
      <VisitCards field={field} phone={phone} visits={unsent} />
      <VisitCards field={field} phone={phone} visits={refused} title="Sent, but refused" />
      {of('unsent').length === 0 ? null : (
        <button
          type="button"
          className="button-look button-primary"
          aria-disabled={isTrying || undefined}
          onClick={() => void tryNow()}
        >
          {isTrying ? 'Sending...' : 'Try now'}
        </button>
      )}
      <VisitCards field={field} phone={phone} visits={sent} title="Sent" />
      <OpenFile field={field} phone={phone} />
      <Registered phone={phone} />
    </>
  );
}

const IN_BROWSER =
  'This is what was typed in this installed page. A visit that you typed in the browser is in the browser: open /field there to send it.';

/** Whether the page was put on the home screen, and opened from there. iOS gives such a page a database of its own. */
const isInstalled = (): boolean =>
  typeof window !== 'undefined' &&
  (window.matchMedia('(display-mode: standalone)').matches || Reflect.get(navigator, 'standalone') === true);

function headline(unsent: number, refused: number): string {
  if (unsent + refused === 0) return 'Everything is sent';
  const parts = [
    ...(unsent > 0 ? [`${counted(unsent, 'visit', 'visits')} not sent yet`] : []),
    ...(refused > 0 ? [`${refused} refused`] : []),
  ];
  return parts.join(', ');
}

type OfPhone = { field: Field; phone: OnThisPhone };

function VisitCards({ field, phone, visits, title }: OfPhone & { visits: readonly KeptVisit[]; title?: string }) {
  if (visits.length === 0) return null;
  return (
    <section className="grid gap-3" aria-label={title ?? 'Not sent yet'}>
      {title === undefined ? null : <h2 className="text-lg">{title}</h2>}
      {visits.map((visit) => (
        <VisitCard key={visit.id} field={field} phone={phone} visit={visit} />
      ))}
    </section>
  );
}

const valueOf = ({ fields }: KeptVisit, wanted: string): string => fields.find(([name]) => name === wanted)?.[1] ?? '';

function VisitCard({ field, phone, visit }: OfPhone & { visit: KeptVisit }) {
  const [isAsking, setIsAsking] = useState(false);
  const day = valueOf(visit, 'visit_date');
  const { store } = phone;
  const act = async (what: Promise<unknown>) => {
    await what;
    await field.changed();
  };
  const edit = (
    <ButtonLink to={{ hash: `#visit/${visit.id}/${encodeURIComponent(visit.rego)}` }}>
      {visit.state === 'draft' ? 'Go on' : 'Edit'}
    </ButtonLink>
  );
  const asFile = (
    <button type="button" className="button-look button-secondary" onClick={() => void saveFile(phone, visit)}>
      Save as file
    </button>
  );
  return (
    <article className="card" aria-label={`Visit to ${visit.rego}`}>
      <div className="grid gap-3 p-5 max-row:p-4">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <RegoChip rego={visit.rego} />
          <span className="text-ink-2">{isDay(day) ? `Visit of ${formatDay(day).replace(/ \d{4}$/, '')}` : ''}</span>
        </div>
        <State phone={phone} visit={visit} />
      </div>
      <footer className="grid grid-cols-2 gap-3 border-t border-line bg-sunken p-4 [&>:last-child:nth-child(odd)]:col-span-2">
        {visit.state === 'recorded' ? null : edit}
        {visit.state === 'refused' ? (
          <button
            type="button"
            className="button-look button-secondary"
            onClick={() => void act(sendAgain(store, visit.id)).then(field.refresh)}
          >
            Send again
          </button>
        ) : null}
        {visit.state === 'recorded' ? (
          <a href={`/vehicles/view/${encodeURIComponent(visit.rego)}`} className="button-look button-secondary">
            Open the truck
          </a>
        ) : (
          asFile
        )}
        <button
          type="button"
          className="button-look button-secondary"
          onClick={() => (visit.state === 'recorded' ? void act(deleteVisit(store, visit.id)) : setIsAsking(true))}
        >
          {visit.state === 'recorded' ? 'Take off this list' : 'Delete'}
        </button>
      </footer>
      {isAsking ? (
        <Question
          title={`Delete the visit to ${visit.rego}?`}
          act="Delete"
          look="danger"
          onAct={() => void act(deleteVisit(store, visit.id))}
          stay="Keep it"
          onStay={() => setIsAsking(false)}
        >
          {!visit.isSent
            ? 'It is nowhere but on this phone: it cannot be had back.'
            : 'It may have reached the registry already: deleting it here does not take it back there.'}
        </Question>
      ) : null}
    </article>
  );
}

function State({ phone, visit }: { phone: OnThisPhone; visit: KeptVisit }) {
  const { answer, state, capturedAt } = visit;
  if (answer?.recorded === true)
    return (
      <Said icon={answer.state === 'waits' ? Hourglass : CircleCheck} lead={answer.words}>
        {answer.by === null ? '' : `Sent by ${answer.by}. `}
        {visit.isChangedSince
          ? 'It was recorded as it was first sent, from here or from another phone: what was changed later is not in it. Correct it on the truck’s page. '
          : ''}
        {leftOutWords(visit.leftOut)}
      </Said>
    );
  if (answer?.recorded === false)
    return (
      <Said icon={CircleAlert} color="text-overdue-text" lead={answer.sentence}>
        {Object.values(answer.errors).join(' ')}
      </Said>
    );
  const contents = contentsOf(phone, visit);
  if (state === 'draft')
    return (
      <Said icon={Pencil} lead="Not finished">
        {`${contents} It is not sent before you save it.`}
      </Said>
    );
  const { now, zone } = phone;
  const waited = now.getTime() - Date.parse(capturedAt);
  return waited > STALE_MS ? (
    <Said icon={ClockAlert} color="text-due-text" lead={`Waiting for ${durationWords(waited)}`}>
      {`${contents} ${promptWords(phone, visit)}`}
    </Said>
  ) : (
    <Said
      icon={Smartphone}
      lead={`Saved on this phone, ${asAtWords(new Date(capturedAt), now, zone).replace('as at ', '')}`}
    >
      {contents}
    </Said>
  );
}

type SaidProps = { icon: LucideIcon; color?: string; lead: string; children: ReactNode };

function Said({ icon: Icon, color, lead, children }: SaidProps) {
  return (
    <div className="grid grid-cols-[auto_1fr] gap-3">
      <span className="pt-0.5">
        <Icon size={22} aria-hidden="true" className={color} />
      </span>
      <div className="min-w-0">
        <p className="font-bold">{lead}</p>
        <p className="text-ink-2">{children}</p>
      </div>
    </div>
  );
}

function contentsOf({ photos }: OnThisPhone, visit: KeptVisit): string {
  const axles = visit.fields.filter(([name]) => name === 'axle').length;
  const { count = 0, bytes = 0, leftOut } = photos.get(visit.id) ?? {};
  const pictures = count === 0 ? '' : `, ${counted(count, 'photo', 'photos')} (${formatBytes(bytes)})`;
  return `${counted(axles, 'axle', 'axles')}${pictures}. ${leftOutWords(leftOut)}`.trim();
}

function promptWords({ fetched }: OnThisPhone, visit: KeptVisit): string {
  const day = valueOf(visit, 'visit_date');
  if (fetched === undefined || !isDay(day)) return '';
  return `Send it before ${formatDay(addDays(day, fetched.policy.promptDays + 1))}, or it will wait for an administrator.`;
}

async function saveFile({ store }: OnThisPhone, visit: KeptVisit): Promise<void> {
  const address = URL.createObjectURL(await visitFile(store, visit));
  const link = document.createElement('a');
  link.href = address;
  link.download = visitFileName(visit);
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
