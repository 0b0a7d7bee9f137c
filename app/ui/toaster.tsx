import { CSPProvider } from '@base-ui/react/csp-provider';
import { Toast } from '@base-ui/react/toast';
import X from 'lucide-react/icons/x';
import { useEffect, useRef } from 'react';
import { NoteIcon } from './note.tsx';
import type { Notice } from './notices.ts';
import { hearToasts } from './toasts.ts';

const LIFE_MS = 5000;
const AT_ONCE = 3;

/** The toasts themselves. */
export default function Toaster() {
  return (
    <CSPProvider disableStyleElements>
      <Toast.Provider timeout={LIFE_MS} limit={AT_ONCE}>
        <Intake />
        <Toasts />
      </Toast.Provider>
    </CSPProvider>
  );
}

// One of a kind at a time: the new one is what holds now.
function Intake() {
  const { add, close } = Toast.useToastManager();
  const shown = useRef(new Map<Notice['kind'], string>());
  useEffect(
    () =>
      hearToasts(({ kind, text }) => {
        const before = shown.current.get(kind);
        if (before !== undefined) close(before);
        shown.current.set(kind, add({ title: text, type: kind, priority: kind === 'error' ? 'high' : 'low' }));
      }),
    [add, close],
  );
  return null;
}

// In an open dialog while there is one: what is outside of it lies behind and cannot be touched.
function Toasts() {
  const { toasts } = Toast.useToastManager();
  const dialog = toasts.length === 0 ? null : document.querySelector<HTMLElement>('dialog:modal');
  return (
    <Toast.Portal container={dialog ?? document.body}>
      <Toast.Viewport className="toasts">
        <ToastList toasts={toasts} />
      </Toast.Viewport>
    </Toast.Portal>
  );
}

function ToastList({ toasts }: { toasts: ReturnType<typeof Toast.useToastManager>['toasts'] }) {
  return toasts.map((toast) => {
    const kind = toast.type === 'error' || toast.type === 'info' ? toast.type : 'success';
    return (
      <Toast.Root key={toast.id} toast={toast} swipeDirection={['right', 'up']} className={`toast toast-${kind}`}>
        <NoteIcon kind={kind} />
        <Toast.Title className="grow py-1 font-semibold" render={<p />} />
        <Toast.Close className="grid size-11 shrink-0 cursor-pointer place-items-center" aria-label="Close">
          <X size={20} aria-hidden="true" />
        </Toast.Close>
      </Toast.Root>
    );
  });
}
