// The schema of the request to be listed as a calibration technician.
import { z } from 'zod';
import { optionalLine, optionalName, requiredLine, requiredName } from '#app/forms/text-fields.ts';
import { email } from '#app/people/email.ts';

export const applicationSchema = z.object({
  company_name: requiredName(200, 'Enter the company name.'),
  // Stored as typed. An ABN with a wrong checksum is accepted and flagged: it is probably a typing error; an admin
  // decides.
  abn: requiredLine(40, 'Enter the ABN.'),
  trade_licence_num: requiredLine(100, 'Enter the trade licence number.'),
  address: optionalLine(500),
  email,
  rep_name: optionalName(200),
  rep_contact: optionalLine(200),
});
export type ApplicationInput = z.infer<typeof applicationSchema>;
export type ApplicationField = keyof ApplicationInput;
