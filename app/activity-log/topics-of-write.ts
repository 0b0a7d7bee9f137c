// The topics of a write follow from its kind and from what it concerns, so that a write cannot leave out a page.
import { type ActivityKind, LISTS_OF_KIND } from './activity.ts';
import type { ListTopic, Topic } from './topic.ts';

/**
 * What a write concerns. `regos`: of many vehicles at once, whose pages reload; the entry is of none of them. `persons`: the
 * ids of who acted and who is affected; their own pages reload.
 */
export type Concerns = {
  kind: ActivityKind;
  subject?: string;
  rego?: string;
  regos?: readonly string[];
  persons?: readonly string[];
};

const PROFILES: Readonly<Record<string, readonly ListTopic[]>> = { admin: ['admins'], technician: ['technicians'] };

/** Every topic that a write publishes: those whose pages it may change. */
export function topicsOf({ kind, subject = '', rego, regos = [], persons = [] }: Concerns): Topic[] {
  const lists = kind === 'profile.updated' ? (PROFILES[subject] ?? []) : (LISTS_OF_KIND.get(kind) ?? []);
  return [
    ...lists,
    ...[...(rego === undefined ? [] : [rego]), ...new Set(regos)].map((of) => `vehicle:${of}` as const),
    ...[...new Set(persons)].map((id) => `person:${id}` as const),
    'logs',
  ];
}
