// Separate from the schemas, so that pages that show the limits do not load Zod.
export const PASSWORD_MIN = 8;
export const PASSWORD_MAX = 128;
