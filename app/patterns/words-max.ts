/** Of an answer, and of why something was decided. */
export const WORDS_MAX = 1000;
