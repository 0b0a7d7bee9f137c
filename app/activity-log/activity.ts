/** What an entry says was done: the specification's words where it has them, else the kind's ('Vehicle updated'). */
export function activityWords({ kind, action }: { kind: string; action: string }): string {
  if (action !== '') return action;
  const words = kind.replaceAll(/[.-]/g, ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
