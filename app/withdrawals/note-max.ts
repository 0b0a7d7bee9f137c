/** The longest note of a withdrawal, in characters. Apart from its schema, so that pages do not load Zod. */
export const NOTE_MAX = 500;
