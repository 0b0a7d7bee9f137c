// The topics of a write follow from its kind and from what it concerns, so that a write cannot leave out a page.
import { type ActivityKind, LISTS_OF_KIND } from './activity.ts';
import type { ListTopic, Topic } from './topic.ts';

/**
 * What a write concerns. `regos`: of many vehicles at once, whose pages reload; the entry is of none of them.
 * `persons`: the ids of who acted and who is affected; their own pages reload.
 */
export type Concerns = {
  kind: ActivityKind;
  subject?: string;
  rego?: string;
  regos?: readonly string[];
  persons?: readonly string[];
};

// Of the subject of a profile, which is its owner's role: the page of admins has the whole office.
const profileLists = (role: string): ListTopic[] => [role === 'technician' ? 'technicians' : 'admins'];

/** Every topic that a write publishes: those whose pages it may change. */
export function topicsOf({ kind, subject = '', rego, regos = [], persons = [] }: Concerns): Topic[] {
  const lists = kind === 'profile.updated' ? profileLists(subject) : (LISTS_OF_KIND.get(kind) ?? []);
  return [
    ...lists,
    ...[...(rego === undefined ? [] : [rego]), ...new Set(regos)].map((of) => `vehicle:${of}` as const),
    ...[...new Set(persons)].map((id) => `person:${id}` as const),
    'logs',
  ];
}
