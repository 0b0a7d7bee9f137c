// What a leaf may say in clear: a closed list, because what enters the log stays in it for ever. Nothing personal
// and nothing that names a vehicle is on it; such values enter as commitments.
import { isDay, isZone } from '#app/platform/time/calendar.ts';
import { Malformed } from './bytes.ts';
import { isRestsOn } from './rests-on.ts';

const MAX_TEXT = 200;

const KINDS = {
  text: (value: unknown) => typeof value === 'string' && value.length <= MAX_TEXT && !/\p{Cc}/u.test(value),
  day: (value: unknown) => typeof value === 'string' && isDay(value),
  instant: (value: unknown) =>
    typeof value === 'string' &&
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value) &&
    !Number.isNaN(Date.parse(value)),
  zone: (value: unknown) => typeof value === 'string' && isZone(value),
  flag: (value: unknown) => typeof value === 'boolean',
  restsOn: isRestsOn,
  count: (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0,
} as const;

const BODY_FIELDS = {
  // The calibration's id of record, and what was read. The value is text, exactly as entered.
  calibration: 'count',
  axle: 'text',
  attribute: 'text',
  value: 'text',
  unit: 'text',
  // The day in the registry's zone, which `zone` says; in leaves from before that there was none, and the day is in
  // UTC.
  calibratedOn: 'day',
  zone: 'zone',
  nextDueOn: 'day',
  validated: 'flag',
  // Of the leaf that closes, corrects, decides, matches, holds back or reinstates a visit: its id, its state from then
  // on, its due date, and why an admin decided so, of a closed list. Its `checks` are what each answered (`checksText`
  // of visits/visit.ts).
  visit: 'text',
  visitState: 'text',
  visitDueOn: 'day',
  reason: 'text',
  // Of a check visit, whose `visit` is the one that is to be checked: the last day on which it is wanted; the visit
  // that closed it, and whether the two agree. Whether an admin asked for it or it was drawn is not in clear.
  wantedUntil: 'day',
  checkedBy: 'text',
  checkResult: 'text',
  // Of calibration-set.recorded, where a phone captured the visit before it was sent: when, by the phone's clock, and
  // when it was received.
  capturedAt: 'instant',
  receivedAt: 'instant',
  // Of an event that changed a vehicle beside what it is about: its next due date, and `validated` with it.
  vehicleDueOn: 'day',
  // Of an event that covers a vehicle's record: on what its verdict rests from then on, and the day of the visit that
  // rules.
  restsOn: 'restsOn',
  restsOnDay: 'day',
  // Of vehicle.replated: from which day on, the states of the new plate and of the one before ('': not known), and why,
  // of a closed list. The texts are a commitment, as they name a vehicle. Of vehicle.joined: the same of the plate of
  // the record that was closed, which is a former one from then on.
  platedOn: 'day',
  plateState: 'text',
  plateStateBefore: 'text',
  plateWhy: 'text',
  // What a file is used for, and its place among those.
  use: 'text',
  position: 'count',
  // The index of the leaf that this one corrects or redacts, and which fields were erased there.
  corrects: 'count',
  redacts: 'count',
  erased: 'text',
  // From which day on a technician is suspended, or is so no longer.
  suspendedFrom: 'day',
  reinstatedFrom: 'day',
  // Of role.changed: what a person is from then on, who was the other before.
  role: 'text',
  // Of activity.head: how many entries the activity log has, and the last hash of their chain, in base64. The chain is
  // of salted commitments, so nothing can be guessed from it.
  activities: 'count',
  activityHead: 'text',
  // Of policy.changed: the version, and its values. Of policy.proposed: the version that it is about, and the values
  // that it proposes. Checks: 'agrees:must complete:must'.
  policyVersion: 'count',
  intervalDays: 'count',
  dueSoonDays: 'count',
  tolerancePerMille: 'count',
  toleranceKg: 'count',
  longestIntervalDays: 'count',
  promptDays: 'count',
  everyVisitWaits: 'flag',
  checkVisitsPerMille: 'count',
  assumedIntervalKg: 'count',
  checks: 'text',
  // Of reference.added and reference.updated: the weighbridge by its id, which stays the same. It is no person, so its
  // name, place and state are in clear; then what was recorded of it: a verification period, its withdrawal, a repair.
  reference: 'text',
  referenceName: 'text',
  referencePlace: 'text',
  referenceState: 'text',
  verifiedFrom: 'day',
  verifiedTo: 'day',
  verificationWithdrawn: 'flag',
  repairedOn: 'day',
  // Of a withdrawal of a weighbridge and its lift: the days that it covers, both included. Its `reason` is of a closed
  // list.
  withdrawnFrom: 'day',
  withdrawnTo: 'day',
  // Of a report that a record is wrong, about the vehicle, the visit or the weighbridge that its leaf names: what is
  // said to be wrong, when it was opened or decided, and the decision. Both are of closed lists: never who, no words.
  reported: 'text',
  reportDay: 'day',
  reportDecision: 'text',
  // Of log.key: the verifier key, and in a log that succeeds another the checkpoint that closed it, its lines joined by
  // spaces.
  key: 'text',
  succeeds: 'text',
} as const satisfies Record<string, keyof typeof KINDS>;

export type BodyField = keyof typeof BODY_FIELDS;
/** A field that is not known is left out; '' is a value. */
export type Body = {
  [Field in BodyField]?: (typeof BODY_FIELDS)[Field] extends 'count'
    ? number
    : (typeof BODY_FIELDS)[Field] extends 'flag'
      ? boolean
      : string;
};

/** What an event may say beside what it is about: of the visit that it closes, and of the vehicle as it leaves it. */
export const SAID_BESIDE: ReadonlySet<string> = new Set<BodyField>([
  'visit',
  'visitState',
  'visitDueOn',
  'checks',
  'validated',
  'vehicleDueOn',
  'restsOn',
  'restsOnDay',
  'capturedAt',
  'receivedAt',
]);

/** Whether an event is a decision on 'calibration validated'. Of an imported record it may be an older one. */
export const isValidation = (type: string): boolean =>
  type === 'calibration.validated' || type === 'calibration.unvalidated';

/** Which field says the due date of the vehicle, in an event of this type that covers it. */
export const vehicleDueField = (type: string): 'nextDueOn' | 'vehicleDueOn' =>
  type.startsWith('vehicle.') || isValidation(type) ? 'nextDueOn' : 'vehicleDueOn';

export function isBody(value: object): value is Body {
  for (const [field, given] of Object.entries(value)) {
    if (!isBodyField(field)) throw new Malformed(`a leaf has no field ${field} in clear`);
    if (!KINDS[BODY_FIELDS[field]](given))
      throw new Malformed(`the field ${field} of a leaf is no ${BODY_FIELDS[field]}`);
  }
  return true;
}

function isBodyField(name: string): name is BodyField {
  return Object.hasOwn(BODY_FIELDS, name);
}
