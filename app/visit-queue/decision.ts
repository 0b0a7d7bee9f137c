// What the form that decides about a visit, and its action, say alike. Apart from the schema, so that pages do not load
// Zod.
import type { NotYours } from '#app/visits/may-decide.server.ts';

/** The longest note for administrators, in characters. */
export const NOTE_MAX = 500;

/** Why an admin may not decide about a visit while another could. */
export const NOT_YOURS: Readonly<Record<NotYours, string>> = {
  'own-visit': 'You recorded, captured or corrected this visit. Another administrator decides about it.',
  'too-new':
    'An administrator recorded, captured or corrected this visit, and you have been one for less than 90 days. One of 90 days or more decides about it.',
  'admitted-by-you': 'You admitted this technician less than 90 days ago. Another administrator decides about it.',
};
