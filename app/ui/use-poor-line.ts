import { useEffect, useState, useSyncExternalStore } from 'react';

const SLOW_MS = 5000;

/** Whether the device is offline, or has sent for some seconds. `sending`: how many files it sends now. */
export function usePoorLine(sending: number): boolean {
  const isSending = sending > 0;
  const isOffline = useSyncExternalStore(
    onLineChange,
    () => !navigator.onLine,
    () => false,
  );
  const [isSlow, setIsSlow] = useState(false);
  useEffect(() => {
    if (!isSending) return undefined;
    const timer = setTimeout(() => setIsSlow(true), SLOW_MS);
    return () => {
      clearTimeout(timer);
      setIsSlow(false);
    };
  }, [isSending]);
  return isOffline || isSlow;
}

function onLineChange(changed: () => void): () => void {
  window.addEventListener('online', changed);
  window.addEventListener('offline', changed);
  return () => {
    window.removeEventListener('online', changed);
    window.removeEventListener('offline', changed);
  };
}
