// The people of the demo registry as the former database held them: keyed by email with commas for dots.
import { addDays } from '#app/platform/time/calendar.ts';

export const DEMO_ADMINS = ['Mia Kowalski', 'Daniel Okafor', 'Ruth Tran'] as const;

/** The technicians. `technicianFor` in demo-visits.ts assigns them to regions. */
export const DEMO_TECHNICIANS = [
  {
    company_name: 'Northern Scales Pty Ltd',
    abn: '58 751 985 169',
    trade_licence_num: 'SL4107',
    address: '31 Sydney Road, Campbellfield VIC 3061',
    email: 'j.nguyen@northernscales.example',
    rep_name: 'J. Nguyen',
    rep_contact: '0491 570 158',
    daysAgo: 1790,
  },
  {
    company_name: 'Hunter Calibrations',
    abn: '41471285489',
    trade_licence_num: 'SL2260',
    address: '7 Maitland Road, Singleton NSW 2330',
    email: 'sarah.whitlock@huntercalibrations.example',
    rep_name: 'Sarah Whitlock',
    rep_contact: '0491 570 159',
    daysAgo: 1766,
  },
  {
    company_name: 'Downs Weighing',
    abn: '51 037 015 989',
    trade_licence_number: 'SL8841',
    address: '150 Ruthven Street, Toowoomba QLD 4350',
    email: 'liam.oconnor@downsweighing.example',
    rep_name: 'Liam O’Connor',
    rep_contact: '0491 570 110',
    daysAgo: 1721,
  },
  {
    company_name: 'Gulf Scales',
    abn: '40959815942',
    trade_licence_num: 'SL1975',
    address: '22 Commercial Road, Port Augusta SA 5700',
    email: 'ana.petrovic@gulfscales.example',
    rep_name: 'Ana Petrović',
    rep_contact: '',
    daysAgo: 1705,
  },
  {
    company_name: 'WestWeigh Pty Ltd',
    abn: '26 277 645 299',
    trade_licence_num: 'SL3318',
    address: '9 Coolawanyah Road, Karratha WA 6714',
    email: 'ben.mulcahy@westweigh.example',
    rep_name: 'Ben Mulcahy',
    rep_contact: '0491 570 313',
    daysAgo: 1702,
  },
  {
    company_name: 'Apple Isle Scales',
    abn: '27759743885',
    trade_licence_num: 'SL5026',
    address: '3 Bass Highway, Burnie TAS 7320',
    email: 'grace.lim@apple-isle-scales.example',
    rep_name: 'Grace Lim',
    rep_contact: '0491 570 737',
    daysAgo: 1698,
  },
] as const;

/** The second one's ABN fails the check: two digits are swapped. */
const APPLICANTS = [
  {
    company_name: 'Riverland Load Cells',
    abn: '16 699 610 289',
    trade_licence_num: 'SL7712',
    address: '18 Sturt Highway, Berri SA 5343',
    email: 'helen.zografos@riverlandloadcells.example',
    rep_name: 'Helen Zografos',
    rep_contact: '0491 571 266',
    daysAgo: 2,
  },
  {
    company_name: 'Gippsland Mobile Weighing',
    abn: '51 824 753 565',
    trade_licence_num: 'SL6093',
    address: '77 Princes Highway, Traralgon VIC 3844',
    email: 'craig.dunstan@gippslandweighing.example',
    rep_name: 'Craig Dunstan',
    rep_contact: '0491 571 491',
    daysAgo: 5,
  },
  {
    company_name: 'Centre Scale Service',
    abn: '15885853925',
    trade_licence_num: 'SL0458',
    address: '5 Smith Street, Alice Springs NT 0870',
    email: 'marlee.dixon@centrescale.example',
    rep_name: 'Marlee Dixon',
    rep_contact: '',
    daysAgo: 9,
  },
  {
    company_name: 'Cairns On-Board Weighing',
    abn: '42 337 931 927',
    trade_licence_num: '',
    address: '41 Kenny Street, Portsmith QLD 4870',
    email: 'yusuf.rahman@cairnsobw.example',
    rep_name: 'Yusuf Rahman',
    rep_contact: '0491 571 804',
    daysAgo: 41,
  },
] as const;

export function demoAdmins(today: string): Record<string, unknown> {
  const [mia, daniel, ruth] = DEMO_ADMINS;
  return keyed([
    {
      email: 'mia.kowalski@registry.example',
      name: mia,
      phone: '0491 570 156',
      address: '12 Depot Road, Parramatta NSW 2150',
      dob: '1984-03-19',
      role: 'Super admin',
      gender: 'Female',
      notes: '',
      imageUrl: '',
      uid: 'demo0admin0001',
      added_at: addDays(today, -1830),
      added_by: 'Anonymous',
    },
    {
      email: 'daniel.okafor@registry.example',
      name: daniel,
      phone: '0491 570 157',
      address: '4/88 Station Street, Box Hill VIC 3128',
      dob: '1990-11-02',
      role: 'Registrar',
      gender: 'Male',
      notes: 'Validates on Mondays and Thursdays.',
      imageUrl: '',
      uid: 'demo0admin0002',
      added_at: addDays(today, -1504),
      added_by: mia,
      updated_at: addDays(today, -12),
      updated_by: daniel,
    },
    {
      email: 'ruth.tran@registry.example',
      name: ruth,
      phone: '',
      address: '',
      dob: '',
      role: 'Admin',
      gender: '',
      notes: '',
      imageUrl: '',
      uid: 'demo0admin0003',
      added_at: addDays(today, -19),
      added_by: mia,
    },
  ]);
}

/** A technician as the former database held one. */
export type DemoTechnicianRecord = {
  company_name: string;
  abn: string;
  trade_licence_num: string;
  address: string;
  email: string;
  rep_name: string;
  rep_contact: string;
  daysAgo: number;
};

export function demoTechnicians(today: string, more: readonly DemoTechnicianRecord[] = []): Record<string, unknown> {
  const numbered = [...DEMO_TECHNICIANS, ...more].map((one, place) => ({
    ...one,
    uid: `demo0tech${String(place + 1).padStart(4, '0')}`,
  }));
  return keyed(requested(numbered, today));
}

export function demoApplications(today: string): Record<string, unknown> {
  return keyed(requested(APPLICANTS, today));
}

function requested<T extends { daysAgo: number }>(companies: readonly T[], today: string) {
  return companies.map(({ daysAgo, ...company }) => ({ ...company, requested_at: addDays(today, -daysAgo) }));
}

export function demoActivityLogs(today: string): Record<string, unknown> {
  const [mia, daniel] = DEMO_ADMINS;
  const byMia = { name: mia, email: 'mia.kowalski@registry.example' };
  const byDaniel = { name: daniel, email: 'daniel.okafor@registry.example' };
  const log = (action: string, about: string, by: { name: string; email: string }, daysAgo: number) => ({
    action,
    details: `${about} updated`,
    ...by,
    timestamp: australianDate(addDays(today, -daysAgo)),
  });
  return {
    '-NQdemo4mAAxW0p1tRs0': log('Profile updated', byMia.email, byMia, 873),
    '-NTdemo9kBBzY2q3uSt1': log('Admin updated', byDaniel.email, byMia, 702),
    '-NWdemo1hCCaV4r5vTu2': log('Profile updated', byDaniel.email, byDaniel, 488),
    '-NZdemo6fDDcT6s7wUv3': log('Profile updated', byMia.email, byMia, 345),
    '-O0demo3dEEeR8t9xVw4': log('Admin updated', byDaniel.email, byMia, 201),
    '-O3demo8bFFgP0u1yWx5': log('Profile updated', byMia.email, byMia, 97),
    '-O6demo5zGGiN2v3zXy6': log('Admin updated', 'ruth.tran@registry.example', byMia, 18),
    '-O9demo2xHHkL4w5aYz7': log('Profile updated', byDaniel.email, byDaniel, 12),
  };
}

function keyed(records: ({ email: string } & Record<string, string>)[]): Record<string, unknown> {
  return Object.fromEntries(records.map((record) => [record.email.replaceAll('.', ','), record]));
}

/** As the former application wrote it: '7/05/2023'. */
function australianDate(day: string): string {
  const [year, month, date] = day.split('-');
  return `${Number(date)}/${month}/${year}`;
}
