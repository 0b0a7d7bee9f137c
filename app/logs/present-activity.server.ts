// An entry of the log as its page shows it: in words, with a link to the record that it concerns.
import { STAFF } from '#app/people/staff.ts';
import { href } from 'react-router';
import { emailSegment } from '#app/people/email-key.ts';
import { isUuid } from '#app/platform/process/uuid.ts';
import { formatStated } from '#app/platform/time/calendar.ts';
import { presentChange } from '#app/vehicles/present-change.ts';
import { activityWords, SYSTEM_NAME } from '#app/activity-log/activity.ts';
import type { LoggedActivity } from './list-activities.server.ts';

export type ShownRecord = { words: string; href: string | null };
/**
 * `when` and `erased` are shown; `email` is null when it adds nothing to the name. `erased`: when the details were
 * erased.
 */
export type LogRow = ReturnType<typeof presentActivity>;

export function presentActivity(activity: LoggedActivity, zone: string) {
  const { index, occurredAt, origin, name, email, details, changes, erasedAt } = activity;
  return {
    index,
    occurredAt: occurredAt.toISOString(),
    when: formatStated(occurredAt, zone),
    imported: origin === 'imported',
    name: name ?? SYSTEM_NAME,
    email: email === null || email === '' || email === name ? null : email,
    words: activityWords(activity),
    details,
    erased: erasedAt === null ? null : formatStated(erasedAt, zone),
    changes: (changes ?? []).map(presentChange),
    record: recordOf(activity),
  };
}

/** The record that an entry concerns, with the address of its page if it has one; null when no record is known. */
export function recordOf({ subject, subjectId, rego, address, isOpen }: LoggedActivity): ShownRecord | null {
  const [, calibrationRego, id] = subject === 'calibration' ? (CALIBRATION_ID.exec(subjectId) ?? []) : [];
  if (calibrationRego !== undefined && id !== undefined)
    return {
      words: `Calibration of ${calibrationRego}`,
      href: href('/calibrations/:rego/:id', { rego: calibrationRego, id }),
    };
  if (subject === 'reference')
    return isUuid(subjectId) ? { words: 'Weighbridge', href: href('/references/:id', { id: subjectId }) } : null;
  if (rego !== null) return { words: `Vehicle ${rego}`, href: href('/vehicles/view/:rego', { rego }) };
  if (address === null) return null;
  const person = PEOPLE[subject];
  if (person === undefined) return { words: address, href: null };
  return {
    words: `${person.word} ${address}`,
    href: isOpen || person.staysOpen ? `${person.page}${emailSegment(address)}` : null,
  };
}

const CALIBRATION_ID = /^([A-Z0-9-]+)\/(\d+)$/;
// `staysOpen`: a removed person still has a page.
const PEOPLE: Readonly<Record<string, { word: string; page: string; staysOpen: boolean }>> = {
  ...Object.fromEntries(
    Object.entries(STAFF).map(([role, { one }]) => [role, { word: one, page: '/admins/view/', staysOpen: false }]),
  ),
  technician: { word: 'Technician', page: '/technicians/view/', staysOpen: true },
  application: { word: 'Application of', page: '/applications/view/', staysOpen: false },
};
