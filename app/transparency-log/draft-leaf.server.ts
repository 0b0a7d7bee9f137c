// A leaf as far as it is known before the log is locked: what it says in clear, what it commits to, and what opens
// that.
import { hash } from 'node:crypto';
import { canonicalJson } from '#app/tlog/canonical-json.ts';
import { committedText, randomSalt } from '#app/tlog/commitment.ts';
import type { Body } from '#app/tlog/leaf-body.ts';
import type { LeafType, ORIGINS, PEOPLE } from '#app/tlog/leaf.ts';
import { recordName, type RecordRef, type RecordRow } from './record-snapshot.server.ts';
import type { Rests, SaidOfVehicle } from './what-rests.server.ts';

export type Origin = (typeof ORIGINS)[number];
export type LeafEvent = {
  type: LeafType;
  origin?: Origin;
  body: Body;
  /** Whose chain it continues. */
  vehicle?: LoggedSubject;
  /** Names, as commitments. */
  people?: Partial<Record<(typeof PEOPLE)[number], string>>;
  /** The hash of a certificate's bytes, or where it lies, as a commitment. */
  certificate?: string;
  /** The records that the event left as they are now. The leaf covers all their columns. */
  records: readonly RecordRef[];
};

type DraftOpening = { field: string; salt: string; value: unknown };

/** The pieces of its canonical JSON between the time and the place in its vehicle's chain, and what is beside it. */
type LeafDraft = {
  before: string;
  rest: string;
  after: string;
  records: readonly RecordRef[];
  openings: readonly DraftOpening[];
  /** Whose chain it continues. */
  vehicle?: LoggedSubject;
};
type LoggedSubject = { id: string; rego: string };

/**
 * Drafts the leaf of `event`, whose records are among `rows` as it left them. `said`: what it says of its vehicles, by
 * their ids.
 */
export function draftLeaf(
  event: LeafEvent,
  rows: ReadonlyMap<string, RecordRow>,
  said: ReadonlyMap<string, SaidOfVehicle>,
): LeafDraft {
  const { type, origin = 'recorded', body, vehicle, people, certificate, records } = event;
  const openings: DraftOpening[] = [];
  const committed = (field: string, value: unknown) => {
    const opening = { field, salt: randomSalt(), value };
    openings.push(opening);
    return commitTo(opening);
  };
  const named: Record<string, string> = {};
  for (const [role, name] of Object.entries(people ?? {})) named[role] = committed(`people.${role}`, name);
  const plate = said.get(records.find(({ table }) => table === 'vehicle')?.key ?? '')?.plate;
  const before = {
    body: { ...body, ...saidOfVehicle(event, rows, said) },
    ...(certificate === undefined ? {} : { certificate: committed('certificate', certificate) }),
    origin,
    ...(people === undefined ? {} : { people: named }),
    ...(plate == null ? {} : { plate: committed('plate', plate) }),
  };
  const rest = records.length === 0 ? '' : `,"rest":"${committed('rest', restOf(records, rows))}"`;
  return {
    before: canonicalJson(before).slice(1, -1),
    rest,
    after: `"type":"${type}","v":1`,
    records,
    openings,
    ...(vehicle === undefined ? {} : { vehicle }),
  };
}

// An event that changed a vehicle says on what the verdict on it rests; one about something else also how it left the
// tick and the due date. So the vehicle's page can be checked against it, and a proof that is carried answers as the
// page does.
function saidOfVehicle(
  { body: { validated }, records }: LeafEvent,
  rows: ReadonlyMap<string, RecordRow>,
  said: ReadonlyMap<string, SaidOfVehicle>,
): Rests & Pick<Body, 'validated' | 'vehicleDueOn'> {
  const ref = records.find(({ table }) => table === 'vehicle');
  if (ref === undefined) return {};
  const row = validated === undefined ? rows.get(recordName(ref)) : undefined;
  const { calibration_validated: tick, next_calibration_due_on: dueOn } = row ?? {};
  return {
    ...said.get(ref.key)?.rests,
    ...(row === undefined ? {} : { validated: tick === true }),
    ...(typeof dueOn === 'string' ? { vehicleDueOn: dueOn } : {}),
  };
}

/** What a vehicle's `subject` commits to: its id, and the rego under which it was first logged. */
export const subjectOf = ({ id, rego }: LoggedSubject) => ({ vehicle: id, rego });

/** A vehicle's `subject`, for its first leaf. */
export function subjectCommitment(vehicle: LoggedSubject): { salt: string; commitment: string } {
  const salt = randomSalt();
  return { salt, commitment: commitTo({ field: 'subject', salt, value: subjectOf(vehicle) }) };
}

// What `commit` of commitment.ts gives, at once: a block of an import has ten thousand of them.
const commitTo = ({ field, salt, value }: DraftOpening) =>
  hash('sha256', committedText(field, salt, canonicalJson(value)), 'base64');

// What a leaf's `rest` commits to: the records it covers, by name.
function restOf(records: readonly RecordRef[], rows: ReadonlyMap<string, RecordRow>): Record<string, RecordRow> {
  return Object.fromEntries(
    records.map((ref) => {
      const row = rows.get(recordName(ref));
      if (row === undefined) throw new Error(`there is no record ${recordName(ref)} to be logged`);
      return [recordName(ref), row];
    }),
  );
}
