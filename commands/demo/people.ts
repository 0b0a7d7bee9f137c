// The people of the demo as the former database held them, keyed by email with commas for dots. All are invented.
import { addDays } from '#app/platform/time/calendar.ts';
import { type Row, tableOf } from './table.ts';

export const MIA = 'mia.kowalski@registry.example';
export const DANIEL = 'daniel.okafor@registry.example';
export const NGUYEN = 'j.nguyen@northernscales.example';

export const DEMO_SIGN_INS = tableOf('sign-ins');
const ADMINS = tableOf('admins');
export const DEMO_ADMINS = ADMINS.map(({ name = '' }) => name);

export const DEMO_TECHNICIANS = tableOf('technicians');

const keyed = (records: readonly Row[]): Record<string, unknown> =>
  Object.fromEntries(records.map((record) => [record.email?.replaceAll('.', ','), record]));

export function demoAdmins(today: string): Record<string, unknown> {
  const records = ADMINS.map(({ daysAgo, updatedAgo, ...admin }, place) => ({
    ...admin,
    imageUrl: '',
    uid: `demo0admin000${place + 1}`,
    added_at: addDays(today, -Number(daysAgo)),
    ...(updatedAgo !== '' && { updated_at: addDays(today, -Number(updatedAgo)), updated_by: admin.name ?? '' }),
  }));
  return keyed(records);
}

export function demoTechnicians(today: string, more: readonly Row[]): Record<string, unknown> {
  const numbered = [...DEMO_TECHNICIANS, ...more].map(({ trade_licence_num: licence = '', ...company }, place) => ({
    ...company,
    // Some records of the former application name the licence otherwise.
    [company.company_name === 'Downs Weighing' ? 'trade_licence_number' : 'trade_licence_num']: licence,
    uid: `demo0tech${String(place + 1).padStart(4, '0')}`,
  }));
  return keyed(requested(numbered, today));
}

/** The second one's ABN fails the check: two digits are swapped. */
export const demoApplications = (today: string): Record<string, unknown> =>
  keyed(requested(tableOf('applicants'), today));

const requested = (companies: readonly Row[], today: string): Row[] =>
  companies.map(({ daysAgo, states: _states, ...company }) => ({
    ...company,
    requested_at: addDays(today, -Number(daysAgo)),
  }));

export function demoActivityLogs(today: string): Record<string, unknown> {
  const logged = tableOf('log').map(({ key = '', about, daysAgo, ...entry }) => {
    const [year, month, date] = addDays(today, -Number(daysAgo)).split('-');
    const name = ADMINS.find(({ email }) => email === entry.email)?.name;
    // As the former application wrote days: '7/05/2023'.
    return [key, { ...entry, name, details: `${about} updated`, timestamp: `${Number(date)}/${month}/${year}` }];
  });
  return Object.fromEntries(logged);
}
