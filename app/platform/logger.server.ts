// The process's log: one JSON line per event on standard output. Never a person's data.
import { pino, type Logger as PinoLogger } from 'pino';
import type { Config } from './config.server.ts';

export type Logger = PinoLogger;

export function createLogger({ logLevel }: Pick<Config, 'logLevel'>): Logger {
  return pino({ level: logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime });
}
