// The process's log: one JSON line per event on standard output. Never a person's data.
import { pino, type Logger as PinoLogger } from 'pino';
import type { Config } from './config.server.ts';

const WRITTEN_WITHIN_MS = 50;

export type Logger = PinoLogger;

export function createLogger({ logLevel }: Pick<Config, 'logLevel'>): Logger {
  // Written in the background, many lines at once when there are many; what is left is written when the process ends.
  const out = pino.destination({ sync: false, minLength: 8192, periodicFlush: WRITTEN_WITHIN_MS });
  return pino({ level: logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime }, out);
}
