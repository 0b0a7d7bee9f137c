// Tells an outage that passes by itself from a fault: the database away, refusing or out of room, the storage full or
// gone. Then a request is answered 503 and can be sent again; nothing was done.

/** An outage whose cause the failing library has swallowed. */
export class Unavailable extends Error {}

const SYSTEM = new Set(
  (
    'ECONNREFUSED ECONNRESET ECONNABORTED EPIPE ETIMEDOUT EHOSTUNREACH ENETUNREACH ENETDOWN ENOTFOUND EAI_AGAIN ' +
    'EMFILE ENFILE ENOSPC EDQUOT EROFS EIO ESTALE ENOTCONN'
  ).split(' '),
);
// https://www.postgresql.org/docs/current/errcodes-appendix.html: connection lost; out of disk, memory or connections;
// shutting down, starting, cancelled; a standby; ended while it rested in a transaction; a file
// that cannot be written; lost against another transaction of the same moment.
const SQLSTATE = /^(08...|53...|57...|58030|25006|25P03|40001|40P01)$/;
// Where in PostgreSQL an error comes from whose code has other meanings: its words are in the server's own language.
// A prepared statement whose table has changed, and a database that lets nobody in.
export const OUTDATED_PLAN = 'RevalidateCachedQuery';
const ROUTINES: readonly unknown[] = [OUTDATED_PLAN, 'CheckMyDatabase'];
// Of the driver and its pool, which have no codes.
const WORDS =
  /^(Query read timeout|timeout exceeded when trying to connect|timeout expired|Connection terminated|Client has encountered a connection error)/;
const CAUSES_MAX = 5;

const isOfRoutine = (error: Error) => 'routine' in error && ROUTINES.includes(error.routine);

/** Whether `error`, or what caused it, is an outage rather than a mistake. */
export function isUnavailable(error: unknown): boolean {
  let cause = error;
  for (let depth = 0; cause instanceof Error && depth < CAUSES_MAX; depth += 1) {
    const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
    const away =
      cause instanceof Unavailable ||
      SYSTEM.has(code) ||
      SQLSTATE.test(code) ||
      isOfRoutine(cause) ||
      WORDS.test(cause.message);
    if (away) return true;
    if (cause instanceof AggregateError && cause.errors.some(isUnavailable)) return true;
    cause = cause.cause;
  }
  return false;
}
