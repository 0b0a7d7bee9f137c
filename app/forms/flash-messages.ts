// Messages shown after a redirect: as a toast with scripts, as a line on the next page without. The short-lived cookie
// carries only the name of a message, so an attacker cannot make the registry show a text of his own.
import type { Message } from '#app/ui/message.ts';

export const FLASH_MESSAGES = {
  'signed-in': { kind: 'success', text: 'login success' },
  'signed-out': { kind: 'success', text: 'Logged out successfully!' },
  'password-set': { kind: 'success', text: 'Password set. Sign in with your new password.' },
  'password-changed': { kind: 'success', text: 'Password changed. You are signed out everywhere else.' },
  'profile-updated': { kind: 'success', text: 'Profile updated successfully.' },
  'sessions-ended': { kind: 'success', text: 'The sessions have ended.' },
  'told-chosen': { kind: 'success', text: 'Saved. You are told as you chose.' },
  'second-factor-removed': { kind: 'success', text: 'The second factor is removed.' },
  'entry-added': { kind: 'success', text: 'Entry added successfully.' },
  'visit-counts': { kind: 'success', text: 'Calibration recorded. It counts.' },
  'visit-waits': { kind: 'info', text: 'Calibration recorded. It waits for an administrator.' },
  'visit-partial': { kind: 'info', text: 'Calibration recorded. It does not count: readings are missing.' },
  'visit-accepted': { kind: 'success', text: 'The visit counts.' },
  'visits-accepted': { kind: 'success', text: 'The visits count.' },
  'visit-set-aside': { kind: 'success', text: 'The visit is set aside.' },
  'visit-finished': { kind: 'success', text: 'Visit finished.' },
  'entry-corrected': { kind: 'success', text: 'Entry corrected. Both versions stay in the history.' },
  'admin-added': { kind: 'success', text: 'Admin Added successfully.' },
  'admin-updated': { kind: 'success', text: 'Admin updated successfully.' },
  'vehicle-added': { kind: 'success', text: 'Vehicle Added successfully.' },
  'vehicle-updated': { kind: 'success', text: 'Vehicle updated successfully.' },
  'vehicle-validated': { kind: 'success', text: 'Calibration validated.' },
  'plate-changed': { kind: 'success', text: 'Plate changed. History, proofs and followers stay with the truck.' },
  'plate-asked': {
    kind: 'info',
    text: 'Another truck has or had this plate, so an administrator confirms the change.',
  },
  'plate-declined': { kind: 'success', text: 'The change of the plate is declined.' },
  'records-joined': { kind: 'success', text: 'Joined. The history of both stands here.' },
  'join-asked': { kind: 'info', text: 'The join makes a verdict better, so another administrator confirms it.' },
  'join-declined': { kind: 'success', text: 'The join is declined.' },
  'records-parted': { kind: 'success', text: 'The join is undone. Each record has its own history again.' },
  'two-trucks': { kind: 'success', text: 'They are two trucks. Nobody is asked again.' },
  'validation-withdrawn': { kind: 'success', text: 'Validation withdrawn.' },
  'record-deleted': { kind: 'success', text: 'Record Deleted successfully.' },
  'removal-confirmed': { kind: 'success', text: 'The removal stands.' },
  'removal-refused': { kind: 'success', text: 'The removal is refused. They can sign in again.' },
  'deleted-already': {
    kind: 'error',
    text: 'Error deleting item: removed-already. Somebody else deleted this record.',
  },
  'person-erased': { kind: 'success', text: 'Personal data erased.' },
  'vehicle-restored': { kind: 'success', text: 'Vehicle restored.' },
  'list-kept': { kind: 'success', text: 'The list is kept.' },
  'labels-too-many': {
    kind: 'error',
    text: 'Too many vehicles for one print. Tick the vehicles you want, or narrow the list to 200.',
  },
  'labels-none': {
    kind: 'error',
    text: 'There is no vehicle to print a label for. Tick vehicles, or change the search.',
  },
  'labels-no-address': {
    kind: 'error',
    text: 'Labels need a public web address. Ask the people who run this registry to set PUBLIC_URL.',
  },
  'policy-changed': { kind: 'success', text: 'The rules are changed. Every page uses the new version now.' },
  'policy-proposed': {
    kind: 'info',
    text: 'The change makes the rules less strict, so it is proposed. Settings says when it takes effect.',
  },
  'proposal-withdrawn': { kind: 'success', text: 'The proposal is withdrawn.' },
  'reference-added': { kind: 'success', text: 'Weighbridge added successfully.' },
  'reference-updated': { kind: 'success', text: 'Weighbridge updated successfully.' },
  'verification-added': { kind: 'success', text: 'Verification period added.' },
  'verification-withdrawn': { kind: 'success', text: 'Verification period withdrawn.' },
  'withdrawal-proposed': { kind: 'info', text: 'The withdrawal is proposed. Another administrator has to confirm it.' },
  'reference-withdrawn': { kind: 'success', text: 'The weighbridge is withdrawn for these days.' },
  'withdrawal-dropped': { kind: 'success', text: 'The proposal is dropped.' },
  'lift-proposed': { kind: 'info', text: 'The lift is proposed. Another administrator has to confirm it.' },
  'withdrawal-lifted': { kind: 'success', text: 'The withdrawal is lifted.' },
  'visit-matched': { kind: 'success', text: 'The weighbridge is that of the register.' },
  'technician-asked': { kind: 'success', text: 'The technician is asked.' },
  'finding-decided': { kind: 'success', text: 'Decided.' },
  'answer-sent': { kind: 'success', text: 'Your answer is sent.' },
  'photo-shown': { kind: 'success', text: 'The photo is shown again.' },
  'photo-stays-hidden': { kind: 'error', text: 'It was hidden more than a minute ago. It stays hidden.' },
  'photo-hidden': { kind: 'success', text: 'The photo is hidden.' },
  'reports-mailed': { kind: 'success', text: 'If reports came from that address, a link to them is on its way.' },
  'report-sent': { kind: 'success', text: 'Done.' },
  'check-visit-asked': { kind: 'success', text: 'The check visit is on the technicians’ list.' },
  'check-visit-withdrawn': { kind: 'success', text: 'The check visit is withdrawn.' },
  'repair-added': { kind: 'success', text: 'Repair noted.' },
  'references-imported': { kind: 'success', text: 'Weighbridges imported.' },
  'references-unchanged': { kind: 'info', text: 'Everything in this file is recorded already. Nothing was changed.' },
  'registration-requested': { kind: 'success', text: 'Tech registration requested successfully.' },
  'technician-suspended': { kind: 'success', text: 'Technician suspended.' },
  'suspension-lifted': { kind: 'success', text: 'Suspension lifted.' },
  'licence-recorded': { kind: 'success', text: 'Trade licence recorded.' },
  'technician-added': { kind: 'success', text: 'Technician Added successfully.' },
  'set-up': { kind: 'success', text: 'The administrator account is ready. Sign in.' },
} as const satisfies Record<string, Message>;
export type FlashName = keyof typeof FLASH_MESSAGES;

// Where the form is that takes an act back; {id}: of what it is about.
const UNDONE_AT: Partial<Record<FlashName, string>> = {
  'record-deleted': '/vehicles/removed',
  'photo-hidden': '/visits/{id}/hide-photo',
};
/** What is carried out is undone only so long after it: ten seconds, and a slow line, or no scripts. */
export const UNDO_MS = 60_000;

/** The message `name`, with what takes back the act that it is about. */
export function flashMessage(name: FlashName, about: string | undefined): Message {
  const action = UNDONE_AT[name];
  const message = FLASH_MESSAGES[name];
  return action === undefined || about === undefined
    ? message
    : { ...message, undo: { action: action.replace('{id}', about), id: about } };
}

export function isFlashName(text: string): text is FlashName {
  return Object.hasOwn(FLASH_MESSAGES, text);
}
