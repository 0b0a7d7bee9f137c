// An admin's record as another admin types it. The field names are the specification's.
import type { z } from 'zod';
import { email } from '#app/people/email.ts';
import { newPassword } from '#app/sign-in/sign-in-entry.ts';
import { line, profileSchema } from '#app/people/profile.ts';

/** The name may be empty: then the address stands in for it. 'Role' is a text without power. */
export const adminSchema = profileSchema.extend({ name: line(200), role: line(100) });

export const addAdminSchema = adminSchema
  .omit({ version: true, gender: true })
  .extend({ email, password: newPassword });
export type AddAdminInput = z.infer<typeof addAdminSchema>;
