const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whether `text` is a uuid as the database writes it. What is none must not reach a query. */
export function isUuid(text: unknown): text is string {
  return typeof text === 'string' && UUID.test(text);
}
