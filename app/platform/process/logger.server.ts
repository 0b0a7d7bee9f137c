// The process's log: one JSON line per event on standard output. Never a person's data.
import { pino, type Logger as PinoLogger } from 'pino';
import type { Config } from './config.server.ts';

const WRITTEN_WITHIN_MS = 50;

export type Logger = PinoLogger;

export function createLogger({ logLevel }: Pick<Config, 'logLevel'>, to?: pino.DestinationStream): Logger {
  return pino(
    {
      level: logLevel,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: describeError },
      hooks: { streamWrite: withoutSecrets },
    },
    to ?? standardOutput(),
  );
}

function standardOutput(): pino.DestinationStream {
  // Written in the background, many lines at once when there are many; what is left is written when the process ends.
  const out = pino.destination({ sync: false, minLength: 8192, periodicFlush: WRITTEN_WITHIN_MS });
  // Where nobody takes a line any more (a terminal that was closed), the registry goes on without a log: the library would
  // try for ever, and so never let the process end.
  out.on('error', () => {
    out.write = () => true;
    out.flushSync = () => {};
  });
  return out;
}

// Not all that an error has: PostgreSQL's `detail` and `where` quote the row, whose columns may be a person's.
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error, message: 'something else than an error was thrown' };
  const { type, message, stack } = pino.stdSerializers.err(error);
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  return { type, message, stack, ...code };
}

const EMAIL_ADDRESS = /[\w.+%'-]+(@|%40)[a-z\d-]+([.,][a-z\d-]+)+/gi;
// 32 random bytes in base64url, as in each link that works once. A hash is written longer.
const LINK_TOKEN = /(?<![\w-])[\w-]{43}(?![\w=-])/g;

// Messages of errors, and of a mail server, quote what was asked. Lines of requests hold nothing of the kind.
const withoutSecrets = (line: string): string =>
  line.includes('"msg":"request"')
    ? line
    : line.replace(EMAIL_ADDRESS, '(email address)').replace(LINK_TOKEN, '(token)');
