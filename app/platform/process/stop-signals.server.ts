// What asks a process to stop: SIGTERM of a supervisor, SIGINT of Ctrl-C, SIGHUP of a closed terminal. A process that
// ended at one of them by itself, or at the second one, would leave its PostgreSQL running.

export const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

let asked: AbortSignal | undefined;

/** Aborted by the first of the signals, whose name is the reason. From then on none of them ends the process. */
export function stopSignal(): AbortSignal {
  return (asked ??= listen());
}

function listen(): AbortSignal {
  const stopping = new AbortController();
  for (const signal of STOP_SIGNALS) process.on(signal, () => stopping.abort(signal));
  // Writing to a terminal that was closed, or to a program that ended, fails. That must not end the stop half-way.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => {});
  return stopping.signal;
}
