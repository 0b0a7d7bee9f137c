// Who may subscribe to which topic.
import type { ListTopic, Topic } from '#app/activity-log/topic.ts';
import type { Permission } from './permissions.ts';

const LISTS: Readonly<Record<ListTopic, Permission>> = {
  vehicles: 'read registry',
  visits: 'read visits',
  'check-visits': 'read check visits',
  patterns: 'read patterns',
  reports: 'read reports',
  policy: 'read registry',
  admins: 'read people',
  technicians: 'read people',
  applications: 'read people',
  recorders: 'read registry',
  references: 'read registry',
  'public-log': 'read registry',
  logs: 'read logs',
};

/** The permission needed to subscribe to a topic. `personId`: the subscriber. */
export function topicPermission(topic: Topic, personId: string | undefined): Permission {
  if (isOfVehicle(topic)) return 'read registry';
  if (isOfPerson(topic)) return topic === `person:${personId}` ? 'read own account' : 'read people';
  return LISTS[topic];
}

const isOfVehicle = (topic: Topic): topic is `vehicle:${string}` => topic.startsWith('vehicle:');
const isOfPerson = (topic: Topic): topic is `person:${string}` => topic.startsWith('person:');
