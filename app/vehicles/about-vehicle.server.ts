import type { ActivityEntry } from '#app/activity-log/append-activity.server.ts';
import type { SignedIn } from '#app/access/session.server.ts';
import type { LoggedVehicle } from '#app/transparency-log/events.server.ts';

/** What an entry about a vehicle that `who` has written says of the vehicle and of them. */
export const aboutVehicle = ({ id, rego }: LoggedVehicle, actorId: number, { personId }: SignedIn) =>
  ({ actorId, subject: 'vehicle', subjectId: id, rego, persons: [personId] }) satisfies Partial<ActivityEntry>;
