// A variable whose name is nearly that of a setting was meant to be it, and changes nothing: `PUBLIC_UR`.
import { SETTING_NAMES } from './config.server.ts';

// Of a short name, half the words of an environment are two letters away.
const LONG = 8;

/** A sentence for each variable that is nearly a setting which is not given. */
export function nearlyKnown(env: NodeJS.ProcessEnv): string[] {
  const meant = SETTING_NAMES.filter((name) => !env[name]);
  return Object.keys(env)
    .filter((name) => !SETTING_NAMES.includes(name))
    .flatMap((name) => {
      const near = meant.find((known) => isNear(name.toUpperCase(), known));
      return near === undefined ? [] : [`${name} is no setting and changes nothing. Is ${near} meant?`];
    });
}

function isNear(name: string, known: string): boolean {
  const most = known.length < LONG ? 1 : 2;
  return Math.abs(name.length - known.length) <= most && changes(name, known) <= most;
}

/** How many letters are to be put in, left out, replaced, or changed with their neighbour to make `b` of `a`. */
function changes(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = (last[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const swapped =
        a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1] ? (before[column - 2] ?? row) + 1 : replaced;
      next.push(Math.min(replaced, swapped, (last[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    [before, last] = [last, next];
  }
  return last[b.length] ?? 0;
}
