/** Below it the log's files are answered (c2sp.org/tlog-tiles); also the end of its name. A log that must begin anew gets 2. */
export const LOG_PREFIX = '/log/1';
