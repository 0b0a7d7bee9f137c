// A leaf of the log: one event of record, as canonical JSON (RFC 8785). The log is one of events, not of rows: what was
// recorded is never edited, a correction is another leaf.
//
// The formats in this folder are public standards: RFC 6962 over SHA-256, C2SP tlog-tiles, tlog-checkpoint, signed-note
// and tlog-proof. The verifying code (verify-proof-file.ts, audit-log.ts, fork-evidence.ts) takes the hash function as
// an argument, so that browsers, `npm run verify` and the single file of `npm run build:verifier` run the same code.
import { type Bytes, Malformed, parseUtf8 } from './bytes.ts';
import { canonicalBytes, parseCanonicalJson } from './canonical-json.ts';
import { isHashText } from './commitment.ts';
import { type Body, type BodyField, isBody } from './leaf-body.ts';

export const MAX_LEAF_BYTES = 4096;

/** The events, whether a vehicle's chain has them, and what their body must say. */
const LEAF_TYPES = {
  'vehicle.registered': { ofVehicle: true, says: [] },
  'vehicle.updated': { ofVehicle: true, says: [] },
  'vehicle.deleted': { ofVehicle: true, says: [] },
  'vehicle.restored': { ofVehicle: true, says: [] },
  'vehicle.rests': { ofVehicle: true, says: ['restsOn'] },
  'vehicle.replated': { ofVehicle: true, says: ['platedOn', 'plateState', 'plateStateBefore', 'plateWhy'] },
  'vehicle.joined': { ofVehicle: true, says: ['platedOn', 'plateStateBefore', 'plateWhy'] },
  'vehicle.parted': { ofVehicle: true, says: [] },
  'calibration.recorded': { ofVehicle: true, says: [] },
  'calibration-set.recorded': { ofVehicle: true, says: [] },
  'calibration.corrected': { ofVehicle: true, says: ['corrects'] },
  'visit.closed': { ofVehicle: true, says: ['visit', 'visitState'] },
  'visit.accepted': { ofVehicle: true, says: ['visit'] },
  'visit.set-aside': { ofVehicle: true, says: ['visit'] },
  'visit.matched': { ofVehicle: true, says: ['visit'] },
  'photo.hidden': { ofVehicle: true, says: ['visit'] },
  'photo.shown': { ofVehicle: true, says: ['visit'] },
  'visit.recalled': { ofVehicle: true, says: ['visit', 'visitState'] },
  'visit.reinstated': { ofVehicle: true, says: ['visit', 'visitState'] },
  'check-visit.wanted': { ofVehicle: true, says: ['visit', 'wantedUntil'] },
  'check-visit.done': { ofVehicle: true, says: ['visit', 'wantedUntil', 'checkedBy', 'checkResult'] },
  'check-visit.lapsed': { ofVehicle: true, says: ['visit', 'wantedUntil'] },
  'check-visit.withdrawn': { ofVehicle: true, says: ['visit', 'wantedUntil'] },
  'due.set-by-hand': { ofVehicle: true, says: ['nextDueOn'] },
  'calibration.validated': { ofVehicle: true, says: [] },
  'calibration.unvalidated': { ofVehicle: true, says: [] },
  'certificate.added': { ofVehicle: true, says: [] },
  'certificate.removed': { ofVehicle: true, says: [] },
  'technician.approved': { ofVehicle: false, says: [] },
  'technician.removed': { ofVehicle: false, says: [] },
  'technician.updated': { ofVehicle: false, says: [] },
  'technician.suspended': { ofVehicle: false, says: ['suspendedFrom'] },
  'technician.reinstated': { ofVehicle: false, says: ['reinstatedFrom'] },
  'admin.added': { ofVehicle: false, says: [] },
  'admin.removed': { ofVehicle: false, says: [] },
  'role.changed': { ofVehicle: false, says: ['role'] },
  'activity.head': { ofVehicle: false, says: ['activities', 'activityHead'] },
  'policy.changed': { ofVehicle: false, says: ['policyVersion'] },
  'policy.proposed': { ofVehicle: false, says: ['policyVersion'] },
  'policy.withdrawn': { ofVehicle: false, says: ['policyVersion'] },
  'reference.added': { ofVehicle: false, says: ['reference'] },
  'reference.updated': { ofVehicle: false, says: ['reference'] },
  'withdrawal.proposed': { ofVehicle: false, says: ['reference', 'withdrawnFrom', 'withdrawnTo'] },
  'withdrawal.confirmed': { ofVehicle: false, says: ['reference', 'withdrawnFrom', 'withdrawnTo'] },
  'withdrawal.dropped': { ofVehicle: false, says: ['reference', 'withdrawnFrom', 'withdrawnTo'] },
  'lift.proposed': { ofVehicle: false, says: ['reference', 'withdrawnFrom', 'withdrawnTo'] },
  'lift.confirmed': { ofVehicle: false, says: ['reference', 'withdrawnFrom', 'withdrawnTo'] },
  'lift.dropped': { ofVehicle: false, says: ['reference', 'withdrawnFrom', 'withdrawnTo'] },
  'report.opened': { ofVehicle: false, says: ['reported', 'reportDay'] },
  'report.decided': { ofVehicle: false, says: ['reported', 'reportDay', 'reportDecision'] },
  redaction: { ofVehicle: false, says: ['redacts'] },
  'log.key': { ofVehicle: false, says: ['key'] },
} as const satisfies Record<string, { ofVehicle: boolean; says: readonly BodyField[] }>;

export type LeafType = keyof typeof LEAF_TYPES;

export const ORIGINS = ['recorded', 'imported', 'before-log'] as const;
export const PEOPLE = ['actor', 'technician', 'driver', 'admin'] as const;

/** Hashes and commitments are base64 of 32 bytes. */
export type Leaf = {
  v: 1;
  type: LeafType;
  /** The server's time, '2026-11-21T08:30:00.000Z', never earlier than the leaf before. */
  at: string;
  /** Recorded here, taken over from the former database, or recorded here before there was a log. */
  origin: (typeof ORIGINS)[number];
  body: Body;
  /** The vehicle, as a commitment that stays the same in all of its leaves, so that they are a chain. */
  subject?: string;
  /** The place in the vehicle's chain, from 1, and the leaf hash of the one before: an omitted leaf shows. */
  subjectSeq?: number;
  prev?: string;
  people?: Partial<Record<(typeof PEOPLE)[number], string>>;
  certificate?: string;
  /**
   * The vehicle's plate and the one before, in entries that cover the record of one whose plate was changed: `subject`
   * names the first that it had here.
   */
  plate?: string;
  /** One commitment to every stored column that no other field covers, so that an edit of any of them shows. */
  rest?: string;
};

export function formatLeaf(leaf: Leaf): Bytes {
  const bytes = canonicalBytes(leaf);
  parseLeaf(bytes);
  return bytes;
}

/** Parses the whole of `bytes`, strictly: `formatLeaf` of the result gives the same bytes. */
export function parseLeaf(bytes: Uint8Array): Leaf {
  if (bytes.length > MAX_LEAF_BYTES) throw new Malformed(`a leaf has at most ${MAX_LEAF_BYTES} bytes`);
  const value = parseCanonicalJson(parseUtf8(bytes));
  if (!isLeaf(value)) throw new Malformed('it is no leaf');
  return value;
}

/**
 * Reads an entry that hashes to what was logged. It was parsed strictly before it entered the log, so it is canonical.
 * Throws for what is no leaf.
 */
export function readLoggedLeaf(entry: string): Leaf {
  const value: unknown = JSON.parse(entry);
  if (!isLeaf(value)) throw new Malformed('it is no leaf');
  return value;
}

/** The commitments in a leaf by the names under which they were made: `subject`, `people.technician`. */
export function openableFields(leaf: Leaf): Map<string, string> {
  const people = PEOPLE.map((role) => [`people.${role}`, leaf.people?.[role]] as const);
  const fields = new Map<string, string>();
  for (const [field, hash] of [
    ['subject', leaf.subject] as const,
    ['certificate', leaf.certificate] as const,
    ['plate', leaf.plate] as const,
    ['rest', leaf.rest] as const,
    ...people,
  ])
    if (hash !== undefined) fields.set(field, hash);
  return fields;
}

const FIELDS = 'v type at origin body subject subjectSeq prev people certificate plate rest'.split(' ');

function isLeaf(value: unknown): value is Leaf {
  if (!isObject(value)) throw new Malformed('a leaf is an object');
  for (const field of Object.keys(value))
    if (!FIELDS.includes(field)) throw new Malformed(`a leaf has no field ${field}`);
  const { v, type, at, origin, body, people } = value;
  if (v !== 1) throw new Malformed('the version of a leaf is 1');
  if (!isLeafType(type)) throw new Malformed('the type of a leaf is unknown');
  if (!isInstant(at)) throw new Malformed('the time of a leaf is no instant');
  if (!ORIGINS.some((known) => known === origin)) throw new Malformed('the origin of a leaf is unknown');
  if (!isObject(body) || !isBody(body)) throw new Malformed('the body of a leaf is an object');
  for (const field of LEAF_TYPES[type].says)
    if (!(field in body)) throw new Malformed(`a leaf of type ${type} says ${field}`);
  for (const field of ['certificate', 'plate', 'rest', 'subject', 'prev'])
    if (field in value && !isHashText(value[field])) throw new Malformed(`the field ${field} of a leaf is no hash`);
  if (people !== undefined && !arePeople(people)) throw new Malformed('the people of a leaf are not commitments');
  return isInChain(value, type);
}

function isInChain({ subject, subjectSeq, prev }: Record<string, unknown>, type: LeafType): true {
  if ((subject === undefined) !== (subjectSeq === undefined) || (LEAF_TYPES[type].ofVehicle && subject === undefined))
    throw new Malformed('a leaf of a vehicle has subject and subjectSeq');
  if (subjectSeq !== undefined && !(Number.isSafeInteger(subjectSeq) && Number(subjectSeq) >= 1))
    throw new Malformed('subjectSeq counts from 1');
  if ((prev !== undefined) !== (subjectSeq !== undefined && subjectSeq !== 1))
    throw new Malformed('every leaf of a vehicle but its first names the one before');
  return true;
}

function arePeople(people: unknown): boolean {
  return (
    isObject(people) &&
    Object.keys(people).length > 0 &&
    Object.entries(people).every(([role, hash]) => PEOPLE.some((known) => known === role) && isHashText(hash))
  );
}

function isLeafType(value: unknown): value is LeafType {
  return typeof value === 'string' && Object.hasOwn(LEAF_TYPES, value);
}

function isInstant(value: unknown): value is string {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value)) return false;
  const instant = new Date(value);
  // Date rolls 30 February over into March.
  return !Number.isNaN(instant.getTime()) && instant.toISOString() === value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
