// /field: the trucks and visits on this phone. The part after # says what is shown, so that going back needs no
// network.
import WifiOff from 'lucide-react/icons/wifi-off';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import { counted } from '#app/ui/counted.ts';
import { Note } from '#app/ui/note.tsx';
import { ButtonLink } from '#app/ui/button-link.tsx';
import { KeptTrucks } from './kept-trucks.tsx';
import { leftOutWords } from './outbox.ts';
import { OutboxList } from './outbox-list.tsx';
import { ProofView } from './proof-view.tsx';
import { SavedVisit } from './saved-visit.tsx';
import { StartView } from './start-view.tsx';
import { TruckView } from './truck-view.tsx';
import { useProgram } from './use-program.ts';
import { useField, type Field, type OnThisPhone, type Signal } from './use-field.ts';
import { VisitForm } from './visit-form.tsx';

export function FieldPage() {
  const field = useField();
  const { hash } = useLocation();
  const { phone } = field;
  const isIdle =
    typeof phone === 'object' && phone.visits.every(({ state }) => state === 'recorded' || state === 'refused');
  useProgram(isIdle ? 'idle' : 'busy');
  if (phone === 'opening') return <Frame signal={field.signal}>{null}</Frame>;
  if (phone === 'not here')
    return (
      <Frame signal={field.signal}>
        <Note kind="error">
          This browser keeps nothing for this page. It may be a private window. Open it in an ordinary one.
        </Note>
      </Frame>
    );
  return (
    <Frame signal={field.signal} phone={phone} hash={hash}>
      {field.signal === 'signed out' ? <SignInNote phone={phone} hash={hash} /> : null}
      {field.isFull ? <Note kind="error">{FULL}</Note> : null}
      {phone.others.map(({ name, count }) => (
        <Note key={name} kind="info">
          {`${counted(count, 'visit', 'visits')} of ${name === '' ? 'somebody' : name} on this phone ${count === 1 ? 'is' : 'are'} not sent yet. Only ${name === '' ? 'they' : name} can see and send ${count === 1 ? 'it' : 'them'}.`}
        </Note>
      ))}
      <View field={field} phone={phone} hash={hash} />
    </Frame>
  );
}

function View({ field, phone, hash }: { field: Field; phone: OnThisPhone; hash: string }) {
  const [view = '', ...rest] = hash.slice(1).split('/').map(decodeURIComponent);
  const [first = '', second = '', third = ''] = rest;
  switch (view) {
    case 'outbox':
      return <OutboxList field={field} phone={phone} />;
    case 'start':
      return <StartView field={field} phone={phone} purpose="start" />;
    case 'add':
      return <StartView field={field} phone={phone} purpose="add" />;
    case 'truck':
      return <TruckView key={first} field={field} phone={phone} rego={first} />;
    case 'visit':
      return <VisitForm key={first} field={field} phone={phone} id={first} rego={second} typedVin={third} />;
    case 'proof':
      return <ProofView phone={phone} />;
    case 'saved':
      return <Saved visits={phone.visits} id={first} />;
    default:
      return <KeptTrucks field={field} phone={phone} />;
  }
}

const SIGNAL: Record<Signal, ReactNode> = {
  unknown: null,
  'signed in': 'Connected',
  'signed out': 'Not signed in',
  'no answer': (
    <>
      <WifiOff size={18} aria-hidden="true" />
      No signal
    </>
  ),
};

function Frame({
  signal,
  phone,
  hash = '',
  children,
}: {
  signal: Signal;
  phone?: OnThisPhone;
  hash?: string;
  children: ReactNode;
}) {
  const unsent = phone?.visits.filter(({ state }) => state !== 'recorded').length ?? 0;
  const isOutbox = hash === '#outbox' || hash.startsWith('#saved');
  return (
    <>
      <header className="border-b border-line bg-surface">
        <div className="page flex min-h-14 items-center justify-between gap-3">
          <a href="/" className="quiet-link inline-flex min-h-11 items-center gap-2.5 text-base font-bold text-ink">
            <img src="/favicon.svg" alt="Registry" width={32} height={32} />
            Field
          </a>
          <p role="status" className="inline-flex items-center gap-2 text-sm font-semibold text-ink-2">
            {SIGNAL[signal]}
          </p>
        </div>
        <nav aria-label="On this phone" className="page grid grid-cols-2 px-0 text-center font-semibold">
          <Tab to="#" isHere={!isOutbox}>
            My trucks
          </Tab>
          <Tab to="#outbox" isHere={isOutbox}>
            Outbox
            {unsent === 0 ? null : (
              <span className="ml-2 inline-grid min-w-7 place-items-center rounded-full bg-ink px-2 text-surface">
                {unsent}
              </span>
            )}
          </Tab>
        </nav>
      </header>
      <main id="main" className="page grid max-w-200 grid-cols-[minmax(0,1fr)] content-start gap-4 py-5">
        {children}
      </main>
    </>
  );
}

function Tab({ to, isHere, children }: { to: string; isHere: boolean; children: ReactNode }) {
  return (
    <Link
      to={{ hash: to }}
      aria-current={isHere ? 'page' : undefined}
      className={`quiet-link grid min-h-13 place-items-center border-b-3 ${isHere ? 'border-accent text-ink' : 'border-transparent text-ink-2'}`}
    >
      <span>{children}</span>
    </Link>
  );
}

const FULL =
  'This phone has no room to note what it sent. Free some room, then open the outbox and try again: each visit is recorded once.';

function SignInNote({ phone: { visits, fetched }, hash }: { phone: OnThisPhone; hash: string }) {
  const unsent = visits.filter(({ state }) => state === 'unsent').length;
  return (
    <Note kind="info">
      {unsent === 0
        ? 'You are not signed in. You can still record visits: they are sent when you sign in. '
        : `You are not signed in. ${counted(unsent, 'visit waits', 'visits wait')} until ${fetched?.person.name ?? 'somebody'} signs in. `}
      <a href={`/tech-login?to=${encodeURIComponent(`/field${hash}`)}`}>Sign in</a>
    </Note>
  );
}

function Saved({ visits, id }: { visits: OnThisPhone['visits']; id: string }) {
  const { answer = null, leftOut } = visits.find((one) => one.id === id) ?? {};
  const said = answer?.recorded === true ? `${answer.words} ${leftOutWords(leftOut)}`.trim() : answer?.sentence;
  return (
    <SavedVisit isSent={answer?.recorded === true} {...(said === undefined ? {} : { words: said })}>
      <ButtonLink to={{ hash: '#start' }} look="primary">
        Next truck
      </ButtonLink>
      <ButtonLink to={{ hash: '#outbox' }}>See the outbox</ButtonLink>
    </SavedVisit>
  );
}
