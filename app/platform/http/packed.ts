// A loader's answer as one text of JSON. The router writes each value of an answer by itself, so that it may hold anything: for a
// vehicle's page, with its hundreds of small values, that was a tenth of what the page took the server.

/** `of` is never there: it tells `unpacked` the type. */
export type Packed<T> = { json: string; of?: T };

/** What JSON keeps whole; what it would lose is `never`, and does not compile. */
type KeptByJson<T> = unknown extends T
  ? T
  : T extends string | number | boolean | null | undefined
    ? T
    : T extends Date | bigint | symbol | ReadonlyMap<unknown, unknown> | ReadonlySet<unknown>
      ? never
      : { [Name in keyof T]: KeptByJson<T[Name]> };

export const packed = <T>(value: T & KeptByJson<T>): Packed<T> => ({ json: JSON.stringify(value) });

export const unpacked = <T>({ json }: Packed<T>): T => JSON.parse(json);
