// What is kept of whom, and how long: what the code does, in words. The loader gives them to the page, so that no
// script holds them. What is deleted by itself is deleted by server/housekeeping.ts; what an erasure takes, by
// app/people/erase-person.server.ts.
import { CONFIRM_WITHIN_DAYS, KEPT_AFTER_REMOVAL_DAYS } from '#app/following/follower.ts';
import { days } from '#app/policy/policy.ts';
import { CONFIRM_WITHIN_DAYS as WAITS_DAYS } from '#app/wrong-records/report.ts';

export type PrivacyRow = { who: string; kept: string; howLong: string };

/** `tellsSignIns`: where AUTH_TOKEN_SYNC_URL is set. */
export const privacyRows = ({ tellsSignIns }: { tellsSignIns: boolean }): PrivacyRow[] => [
  {
    who: 'You, searching',
    kept: 'Nothing of you. Each request is a line in the server’s log, without address, rego or search text. Where requests are limited, a fingerprint of your address is counted.',
    howLong: 'The count: 4 hours. The log: as its operator sets it.',
  },
  {
    who: 'Followers',
    kept: 'Your email address, and which truck or list of trucks you follow',
    howLong: `Until a minute after you stop the emails; of a truck that is removed, ${days(KEPT_AFTER_REMOVAL_DAYS)} more. Not confirmed: ${days(CONFIRM_WITHIN_DAYS)}.`,
  },
  {
    who: 'Reporters of a wrong record',
    kept: 'Your email address, words and files; office and technician read the words and files, nobody the address',
    howLong: `Until you erase it, by the link to your reports. Not confirmed: ${days(WAITS_DAYS)}.`,
  },
  {
    who: 'Applicants',
    kept: 'What you enter at registration: name, company, ABN, addresses, contact, licence',
    howLong: 'Until it is erased on request, refused ones too',
  },
  {
    who: 'Technicians, administrators',
    kept: 'Profile with name, company, address, licence and portrait; your password as a hash; what you recorded and decided, under the name you had then; what you chose to be told by email, and were told',
    howLong:
      'As long as the records stand. Once you have left, all but the records is erased on request; they stay under ‘Erased person’.',
  },
  {
    who: 'Anyone signed in',
    kept:
      'A session, with network address and browser, which you see in Settings; a cookie that knows your browser again, of which nothing is stored here' +
      (tellsSignIns ? '. Another service of the operator is told of each sign-in and sign-out.' : ''),
    howLong: 'The session: 2 hours unused, 12 hours in all. The cookie: 180 days.',
  },
  {
    who: 'Your own browser',
    kept: 'Forms that are not saved yet; for technicians the trucks and visits of work without reception',
    howLong: 'Until saved, sent, or deleted there',
  },
  {
    who: 'Recipients of emails',
    kept: 'Address and kind of an email until it is sent; one that could not be sent, with the reason',
    howLong: 'Sent: deleted at once. Not sent: until you stop, or are erased.',
  },
  {
    who: 'Uploads',
    kept: 'Photos and certificates of records. Position and camera data are taken out of photos.',
    howLong: 'With their record. Never saved: 1 day.',
  },
  {
    who: 'The public log',
    kept: 'No name and no rego: salted fingerprints of them',
    howLong: 'For ever. An erasure destroys what opens the fingerprints.',
  },
];
