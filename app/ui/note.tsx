import CircleAlert from 'lucide-react/icons/circle-exclamation-point';
import CircleCheck from 'lucide-react/icons/circle-check';
import Info from 'lucide-react/icons/info';
import type { ReactNode } from 'react';
import { useRouteLoaderData } from 'react-router';
import { useIsArrival } from './arrival.tsx';
import type { Notice } from './notice.ts';

const ICONS = { success: CircleCheck, info: Info, error: CircleAlert } as const;

export function NoteIcon({ kind }: { kind: Notice['kind'] }) {
  const Icon = ICONS[kind];
  return <Icon size={20} aria-hidden="true" className="mt-1.5 shrink-0" />;
}

/** A message inside the page. */
export function Note({ kind, children }: { kind: Notice['kind']; children: ReactNode }) {
  return (
    <div className={`note note-${kind}`} role={kind === 'error' ? 'alert' : 'status'}>
      <NoteIcon kind={kind} />
      <div className="min-w-0 py-1 wrap-anywhere">{children}</div>
    </div>
  );
}

/** The message that came with this document from the page before; later ones come as toasts. */
export function ArrivalNote() {
  const notice = useRouteLoaderData<{ notice: Notice | null }>('root')?.notice ?? null;
  const isArrival = useIsArrival();
  if (notice === null || !isArrival) return null;
  return (
    <div className="pb-5">
      <Note kind={notice.kind}>{notice.text}</Note>
    </div>
  );
}
