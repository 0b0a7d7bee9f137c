/** What `done` gives; undefined when it fails, or takes more than `ms`. */
export async function settledWithin<T>(ms: number, done: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), ms)));
  const answer = await Promise.race([done.catch(() => undefined), late]);
  clearTimeout(timer);
  return answer;
}
