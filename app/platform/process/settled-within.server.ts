/** Resolves when `done` has ended, however it ends, but after `ms` at the latest. */
export async function settledWithin(ms: number, done: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => (timer = setTimeout(resolve, ms)));
  await Promise.race([done.catch(() => undefined), late]);
  clearTimeout(timer);
}
