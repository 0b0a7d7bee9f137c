/** To a worker that waits: nothing is unsent, so it may take over. */
export const UPDATE = 'update';
