const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whether `text` is a uuid as the database writes it. Anything else must not reach a query: it would fail there. */
export function isUuid(text: unknown): text is string {
  return typeof text === 'string' && UUID.test(text);
}
