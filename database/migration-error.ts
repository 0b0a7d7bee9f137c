/** Why the database cannot be used, as a sentence for the operator. */
export class MigrationError extends Error {}
