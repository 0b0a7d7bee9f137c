// Topics: open pages subscribe to them, and cached responses are tagged with them. The topics of a write follow from
// its kind and from what it concerns, so that a write cannot leave out a page.
import { LIST_TOPICS, listsOf, type ActivityKind, type ListTopic } from './activity.ts';

const NAMES: readonly string[] = LIST_TOPICS;
export const isListTopic = (name: string): name is ListTopic => NAMES.includes(name);

/** A list, one vehicle by its rego, or one person by their id. */
export type Topic = ListTopic | `vehicle:${string}` | `person:${string}`;

/**
 * The topics of a vehicle's page, for its subscription and its cache tags: it shows recorders, and a verdict by the
 * policy.
 */
export const topicsOfVehiclePage = (rego: string): Topic[] => [`vehicle:${rego}`, 'policy', 'recorders'];

/** The topics of a reading's page, which shows no verdict. */
export const topicsOfReadingPage = (rego: string): Topic[] => [`vehicle:${rego}`, 'recorders'];

/** What a write concerns. `persons`: the ids of who acted and who is affected; their own pages reload. */
export type Concerns = { kind: ActivityKind; subject?: string; rego?: string; persons?: readonly string[] };

const PROFILES: Readonly<Record<string, readonly ListTopic[]>> = { admin: ['admins'], technician: ['technicians'] };

/** Every topic that a write publishes: those whose pages it may change. */
export function topicsOf({ kind, subject = '', rego, persons = [] }: Concerns): Topic[] {
  const lists = kind === 'profile.updated' ? (PROFILES[subject] ?? []) : listsOf(kind);
  return [
    ...lists,
    ...(rego === undefined ? [] : [`vehicle:${rego}` as const]),
    ...[...new Set(persons)].map((id) => `person:${id}` as const),
    'logs',
  ];
}
