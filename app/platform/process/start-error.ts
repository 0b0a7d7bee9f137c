/** Why the process cannot start: a sentence for the operator. */
export class StartError extends Error {}
