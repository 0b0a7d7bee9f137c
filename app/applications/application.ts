// A request to be listed as a calibration technician: what is typed.
import { z } from 'zod';
import { email } from '#app/people/email.ts';

const text = (label: string, max: number) =>
  z
    .string({ error: `Enter the ${label}.` })
    .trim()
    .max(max, `Use at most ${max} characters.`);
const required = (label: string, max: number) => text(label, max).min(1, `Enter the ${label}.`);

export const applicationSchema = z.object({
  company_name: required('company name', 200),
  // Kept as typed. One that fails its check is taken and flagged: a typing slip is no fraud, and an admin decides.
  abn: required('ABN', 40),
  trade_licence_num: required('trade licence number', 100),
  address: text('address', 500).default(''),
  email,
  rep_name: text('name', 200).default(''),
  rep_contact: text('contact', 200).default(''),
});
export type ApplicationInput = z.infer<typeof applicationSchema>;
export type ApplicationField = keyof ApplicationInput;
