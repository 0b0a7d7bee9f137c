import { CSPProvider } from '@base-ui/react/csp-provider';
import { Toast } from '@base-ui/react/toast';
import { X } from 'lucide-react';
import { useEffect } from 'react';
import { NoteIcon } from './note.tsx';
import type { Notice } from './notices.ts';

const LIFE_MS = 5000;
const AT_ONCE = 3;

/** The toasts themselves. `take` hands over those that wait whenever `arrived` changes. */
export default function Toaster({ arrived, take }: { arrived: number; take: () => Notice[] }) {
  return (
    <CSPProvider disableStyleElements>
      <Toast.Provider timeout={LIFE_MS} limit={AT_ONCE}>
        <Intake arrived={arrived} take={take} />
        <Toast.Portal>
          <Toast.Viewport className="toasts">
            <ToastList />
          </Toast.Viewport>
        </Toast.Portal>
      </Toast.Provider>
    </CSPProvider>
  );
}

function Intake({ arrived, take }: { arrived: number; take: () => Notice[] }) {
  const { add } = Toast.useToastManager();
  useEffect(() => {
    for (const { kind, text } of take()) add({ title: text, type: kind, priority: kind === 'error' ? 'high' : 'low' });
  }, [arrived, take, add]);
  return null;
}

function ToastList() {
  const { toasts } = Toast.useToastManager();
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
