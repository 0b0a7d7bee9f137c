// Limits for the browser too. Not in text-fields.ts, so that a page that needs a limit does not load Zod.

/** The longest reason in any form, in characters. */
export const REASON_MAX = 500;
