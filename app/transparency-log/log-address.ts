/** Below it the log's files are answered (c2sp.org/tlog-tiles); also the end of its name. A log begun again gets 2. */
export const LOG_PREFIX = '/log/1';

/** The index that an address names; undefined: it names none. */
export function parseEntryIndex(text: string): number | undefined {
  return /^(0|[1-9]\d{0,14})$/.test(text) ? Number(text) : undefined;
}
