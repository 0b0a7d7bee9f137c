/** Of why somebody's data are erased. */
export const ERASE_REASON_MAX_LENGTH = 500;
