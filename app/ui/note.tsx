import type { ReactNode } from 'react';
import { useRouteLoaderData } from 'react-router';
import { useIsArrival } from './arrival.tsx';
import type { Message } from './message.ts';
import { RowIcon } from './row-icon.tsx';
import { Undo } from './undo.tsx';

const ICONS = { info: 'info', success: 'circle-check', error: 'circle-exclamation-point' } as const;

export function NoteIcon({ kind }: { kind: Message['kind'] }) {
  return <RowIcon name={ICONS[kind]} className="row-icon mt-1.5 size-5" />;
}

type NoteProps = { kind: Message['kind']; children: ReactNode };

/** A message inside the page. */
export function Note({ kind, children }: NoteProps) {
  return (
    <div className={`note note-${kind}`} role={kind === 'error' ? 'alert' : 'status'}>
      <NoteIcon kind={kind} />
      <div className="min-w-0 py-1 wrap-anywhere">{children}</div>
    </div>
  );
}

/** A message above the content that it is about. */
export function NoteAbove(note: NoteProps) {
  return (
    <div className="pb-5">
      <Note {...note} />
    </div>
  );
}

/** The flash message that arrived with this document; later ones are toasts. */
export function ArrivalNote() {
  const flash = useRouteLoaderData<{ flash: Message | null }>('root')?.flash ?? null;
  const isArrival = useIsArrival();
  return flash === null || !isArrival ? null : (
    <NoteAbove kind={flash.kind}>
      {flash.text}
      {flash.undo === undefined ? null : <Undo {...flash.undo} />}
    </NoteAbove>
  );
}
