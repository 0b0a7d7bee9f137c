// Tells every tab, and the service worker, that something in the phone's database has changed.
const CHANNEL = 'field';

/** `what`: 'outbox' after a change of the visits, 'sent' when nothing is left to send. */
export function notifyPhone(what: 'outbox' | 'sent'): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(what);
  channel.close();
}

/** Returns how to stop. The tab that notifies hears nothing. */
export function onPhoneChange(listener: () => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener('message', listener);
  return () => channel.close();
}
