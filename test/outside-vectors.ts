// Test vectors of other projects, which are not part of this repository: a folder `shared/vectors` beside it, or the
// one that VECTORS_DIR names. Without it their tests say NOT RUN; the published constants in the tests hold either way.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const FOLDER = process.env.VECTORS_DIR ?? path.resolve(import.meta.dirname, '../../shared/vectors');

/** The cases in `<name>.json` (an array, or its field `list`), or undefined where the folder is absent. */
export function outsideVectors<Case>(
  name: string,
  isCase: (value: unknown) => value is Case,
  list = 'cases',
): Case[] | undefined {
  const file = path.join(FOLDER, `${name}.json`);
  if (!existsSync(file)) {
    process.stdout.write(`NOT RUN: the outside vectors ${name}.json are not on this machine.\n`);
    return undefined;
  }
  const parsed: unknown = JSON.parse(readFileSync(file, 'utf8'));
  const cases = hasFields(parsed, list) ? parsed[list] : parsed;
  if (!Array.isArray(cases) || !cases.every(isCase)) throw new Error(`${file} has another shape`);
  return cases;
}

export function hasFields<Name extends string>(value: unknown, ...names: Name[]): value is Record<Name, unknown> {
  return typeof value === 'object' && value !== null && names.every((name) => name in value);
}
