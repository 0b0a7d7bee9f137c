// The schema of the form to follow a vehicle.
import { z } from 'zod';
import { email } from '#app/people/email.ts';

export const followSchema = z.object({ email });
