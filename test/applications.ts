// An application for tests.
import { applicationSchema, type ApplicationInput } from '#app/applications/application.ts';

/** Of a company of its own for each address. */
export const applicationOf = (email: string): ApplicationInput =>
  applicationSchema.parse({
    company_name: `Company of ${email}`,
    abn: '51 824 753 556',
    trade_licence_num: 'SL-20418',
    address: '14 Gaffney Street, Coburg VIC 3058',
    email,
    rep_name: 'Priya Raman',
    rep_contact: '0491 570 156',
  });
