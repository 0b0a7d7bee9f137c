// Messages that outlive the page they arose on: shown as a toast with scripts, as a line on the next page without. Only
// their names travel (in a short-lived cookie), so nobody can put words into the registry's mouth.
export type Notice = { kind: 'success' | 'info' | 'error'; text: string };

export const NOTICES = {
  'signed-in': { kind: 'success', text: 'login success' },
  'signed-out': { kind: 'success', text: 'Logged out successfully!' },
  'password-set': { kind: 'success', text: 'Your new password is set. Sign in with it.' },
  'password-changed': { kind: 'success', text: 'Your password is changed. All other sessions have ended.' },
  'profile-updated': { kind: 'success', text: 'Profile updated successfully.' },
  'sessions-ended': { kind: 'success', text: 'The sessions have ended.' },
  'second-factor-removed': { kind: 'success', text: 'The second factor is removed.' },
  'set-up': { kind: 'success', text: 'The first administrator is set up. Sign in.' },
} as const satisfies Record<string, Notice>;
export type NoticeName = keyof typeof NOTICES;

export function isNoticeName(text: string): text is NoticeName {
  return Object.hasOwn(NOTICES, text);
}
