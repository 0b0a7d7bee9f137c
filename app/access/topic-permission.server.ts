// Who may subscribe to which topic.
import type { ListTopic, Topic } from '#app/activity-log/topic.ts';
import type { Permission } from './permissions.ts';

const LISTS: Readonly<Record<ListTopic, Permission>> = {
  vehicles: 'read the registry',
  visits: 'decide visits',
  'check-visits': 'make check visits',
  patterns: 'look at patterns',
  policy: 'read the registry',
  admins: 'manage people',
  technicians: 'manage people',
  applications: 'manage people',
  recorders: 'read the registry',
  references: 'read the registry',
  'public-log': 'read the registry',
  logs: 'manage people',
};

/** The permission needed to subscribe to a topic. `personId`: the subscriber. */
export function topicPermission(topic: Topic, personId: string | undefined): Permission {
  if (isOfVehicle(topic)) return 'read the registry';
  if (isOfPerson(topic)) return topic === `person:${personId}` ? 'keep own account' : 'manage people';
  return LISTS[topic];
}

const isOfVehicle = (topic: Topic): topic is `vehicle:${string}` => topic.startsWith('vehicle:');
const isOfPerson = (topic: Topic): topic is `person:${string}` => topic.startsWith('person:');
