// Topics: open pages subscribe to them, and cached responses are tagged with them.

/**
 * The topics of lists. A topic covers the list and each record in it. `recorders`: the people whom public pages name as
 * the recorders of readings. `references`: the register of weighbridges. `public-log`: the entries of the public log.
 * `logs`: the entries of the activity log. `visits`: the visits that wait for an admin. `check-visits`: the trucks that
 * somebody else is to weigh again. `patterns`: what patterns found. `reports`: what
 * somebody says is wrong.
 */
export const LIST_TOPICS = [
  'vehicles',
  'visits',
  'check-visits',
  'patterns',
  'reports',
  'policy',
  'admins',
  'technicians',
  'applications',
  'recorders',
  'references',
  'public-log',
  'logs',
] as const;
export type ListTopic = (typeof LIST_TOPICS)[number];

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
