// What is typed to follow a vehicle.
import { z } from 'zod';
import { email } from '#app/account/account.ts';

export const followSchema = z.object({ email });
