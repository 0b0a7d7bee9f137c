// Who may follow which topic of live updates.
import { isListTopic, type ListTopic } from '#app/activity-log/topic.ts';
import type { Permission } from './permissions.ts';

const LISTS: Readonly<Record<ListTopic, Permission>> = {
  vehicles: 'read the registry',
  policy: 'read the registry',
  admins: 'manage people',
  technicians: 'manage people',
  applications: 'manage people',
  logs: 'manage people',
};

/** What somebody needs to follow a topic of live updates; undefined: there is no such topic. */
export function topicPermission(topic: string, personId: string | undefined): Permission | undefined {
  if (topic.startsWith('vehicle:')) return 'read the registry';
  if (topic.startsWith('person:')) return topic === `person:${personId}` ? 'keep own account' : 'manage people';
  return isListTopic(topic) ? LISTS[topic] : undefined;
}
