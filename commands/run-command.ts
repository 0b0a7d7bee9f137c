// What commands have in common: how they read their arguments, and how they fail.
import path from 'node:path';
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';

/** Says why on standard error. Returns the exit code. */
export function fail(sentence: string): number {
  process.stderr.write(`${sentence}\n`);
  return 1;
}

/** The one file that a command is about, and its options; or the sentence to fail with. */
export function readArguments<Options extends ParseArgsOptionsConfig>(usage: string, options: Options) {
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options });
    const [file, ...more] = positionals;
    return file === undefined || more.length > 0 ? usage : { file: path.resolve(file), values };
  } catch (error) {
    return `${error instanceof Error ? error.message : String(error)}\n${usage}`;
  }
}
