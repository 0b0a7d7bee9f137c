// The schemas for adding and updating an admin or auditor. The field names are the specification's.
import { z } from 'zod';
import { email } from '#app/people/email.ts';
import { newPassword } from '#app/sign-in/sign-in-entry.ts';
import { optionalLine, optionalName } from '#app/forms/text-fields.ts';
import { profileSchema } from '#app/people/profile.ts';
import { STAFF_ROLES } from '#database/people-tables.ts';

/** The name may be empty: pages show the address then. 'Role' is free text that gives no permission. */
export const adminSchema = profileSchema.extend({ name: optionalName(200), role: optionalLine(100) });

/** `access`: the role of the account, an admin's where nothing is said. */
export const addAdminSchema = adminSchema
  .omit({ version: true, gender: true })
  .extend({ email, password: newPassword, access: z.enum(STAFF_ROLES).optional() });
export type AddAdminInput = z.infer<typeof addAdminSchema>;
