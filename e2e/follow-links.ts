import { addFollower } from '#test/followers.ts';
import type { StartedRegistry } from '#test/start-registry.ts';

/** The address in a mail about a list of one truck, which is followed. */
export async function listLinkOf({ db }: StartedRegistry): Promise<string> {
  const list = { email: 'list@site.example', list: 'S558BXW', confirmedOn: '2026-01-05' };
  return `/following/${(await addFollower(db, list)).token}`;
}
