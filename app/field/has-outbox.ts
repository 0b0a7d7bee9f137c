// Whether this browser ever kept a visit: only then do other pages load what looks into the outbox.
const KEY = 'outbox';

export function noteOutbox(): void {
  try {
    localStorage.setItem(KEY, 'yes');
  } catch {
    // Without it only /field says what is not sent.
  }
}

export function hasOutbox(): boolean {
  try {
    return localStorage.getItem(KEY) === 'yes';
  } catch {
    return false;
  }
}
