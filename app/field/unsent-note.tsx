// On every page of the back office: says which visits on this phone are not sent yet, sends them, and asks before a
// sign-out.
import Smartphone from 'lucide-react/icons/smartphone';
import { useCallback, useEffect, useRef, useState } from 'react';
import { counted } from '#app/ui/counted.ts';
import { STALE_MS } from './field.ts';
import { listVisits } from './outbox.ts';
import { onPhoneChange } from './phone-changes.ts';
import { Question } from './question.tsx';
import { openPhoneStore, type KeptVisit, type PhoneStore } from './phone-store.ts';
import { atEachSignOfNetwork } from './send-soon.ts';

/** `isOld`: one of the person's own waits for more than a day. */
type Unsent = { own: KeptVisit[]; others: KeptVisit[]; isOld: boolean };

export function UnsentNote({ personId }: { personId: string }) {
  const [store, setStore] = useState<PhoneStore>();
  const [isFull, setIsFull] = useState(false);
  const [unsent, setUnsent] = useState<Unsent>({ own: [], others: [], isOld: false });
  const read = useCallback(async () => {
    if (store === undefined) return;
    const visits = (await listVisits(store)).filter(({ state }) => state !== 'recorded');
    const isOwn = ({ person }: KeptVisit) => person.id === personId;
    const own = visits.filter(isOwn);
    const isOld = own.some(({ capturedAt }) => Date.now() - Date.parse(capturedAt) > STALE_MS);
    setUnsent({ own, others: visits.filter((visit) => !isOwn(visit)), isOld });
  }, [store, personId]);
  useEffect(() => {
    openPhoneStore().then(setStore, () => {});
  }, []);
  useEffect(() => {
    if (store === undefined) return undefined;
    const send = async () => {
      const waits = await hasToSend(store, personId);
      // The sender is loaded where there is something to send.
      if (waits) {
        const { sendOutbox } = await import('./send-outbox.ts');
        setIsFull((await sendOutbox(store, personId, (to, init) => fetch(to, init))) === 'no room');
      }
      await read();
    };
    const soon = () => void send().catch(() => {});
    soon();
    const stops = [onPhoneChange(() => void read()), atEachSignOfNetwork(soon)];
    return () => {
      for (const stop of stops) stop();
    };
  }, [store, personId, read]);
  const { own, others, isOld } = unsent;
  const question = useLogoutQuestion(own.length);
  return (
    <>
      {own.length === 0 ? null : (
        <p className={`note no-print mb-4 items-center ${isOld ? 'note-due' : 'note-info'}`} role="status">
          <Smartphone size={20} aria-hidden="true" className="shrink-0" />
          <span className="py-1">
            <strong>{`${counted(own.length, 'visit', 'visits')} not sent yet. `}</strong>
            {isOld ? 'The oldest waits for more than a day. ' : ''}
            {isFull ? 'This phone has no room to note what it sent. Free some room. ' : ''}
            <a href="/field#outbox">See the outbox</a>
          </span>
        </p>
      )}
      {others.length === 0 ? null : (
        <p className="note note-info no-print mb-4 items-center" role="status">
          <Smartphone size={20} aria-hidden="true" className="shrink-0" />
          <span className="py-1">{`${counted(others.length, 'visit', 'visits')} of ${namesOf(others)} on this device not sent yet.`}</span>
        </p>
      )}
      {question.isAsked ? (
        <Question
          title={`${counted(own.length, 'visit is', 'visits are')} not sent yet. Sign out?`}
          act="Sign out"
          look="secondary"
          onAct={question.signOut}
          stay="Stay signed in"
          onStay={question.stay}
        >
          They stay on this phone, and go when you sign in again. Nobody else sees what is in them.
        </Question>
      ) : null}
    </>
  );
}

const namesOf = (visits: readonly KeptVisit[]): string =>
  [...new Set(visits.map(({ person }) => (person.name === '' ? 'somebody' : person.name)))].join(' and ');

const hasToSend = async (store: PhoneStore, personId: string): Promise<boolean> =>
  (await listVisits(store)).some(({ state, person }) => state === 'unsent' && person.id === personId);

/** Holds back the form that signs out while visits are unsent, until it is answered. */
function useLogoutQuestion(unsent: number): { isAsked: boolean; stay: () => void; signOut: () => void } {
  const [isAsked, setIsAsked] = useState(false);
  const held = useRef<HTMLFormElement>(undefined);
  const isConfirmed = useRef(false);
  useEffect(() => {
    if (unsent === 0) return undefined;
    const ask = (event: SubmitEvent) => {
      const { target } = event;
      if (isConfirmed.current || !(target instanceof HTMLFormElement)) return;
      if (new URL(target.action).pathname !== '/logout') return;
      event.preventDefault();
      event.stopPropagation();
      held.current = target;
      setIsAsked(true);
    };
    document.addEventListener('submit', ask, { capture: true });
    return () => document.removeEventListener('submit', ask, { capture: true });
  }, [unsent]);
  return {
    isAsked,
    stay: () => setIsAsked(false),
    signOut: () => {
      isConfirmed.current = true;
      setIsAsked(false);
      held.current?.requestSubmit();
    },
  };
}
