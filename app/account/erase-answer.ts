// The answer to the form that erases a removed person's data: what its door makes and its page shows.
export const ERASE_FAILURE = 'Error erasing:';
export const ERASE_REASON_MAX_LENGTH = 500;

/** What the form's action answers: what is wrong with the reason, or why nothing was erased. */
export type EraseFormAnswer = { reason: string; error?: string; failure?: string };
