// The events of the register of weighbridges as leaves. A weighbridge is no person: its name, place and state are in
// clear.
import type { LeafEvent } from './draft-leaf.server.ts';
import type { LeafType } from '#app/tlog/leaf.ts';
import type { RecordRef } from './record-snapshot.server.ts';

export type LoggedReference = { id: string; name: string; place: string; state: string };

/** A weighbridge was added, or its own fields were changed. */
export const referenceEvent = (type: 'reference.added' | 'reference.updated', reference: LoggedReference): LeafEvent =>
  eventOf(type, reference, { more: {} });

/** A verification period was recorded, or withdrawn as wrong. */
export const verificationEvent = (
  reference: LoggedReference,
  { id, fromOn, toOn, withdrawn }: { id: string; fromOn: string; toOn: string; withdrawn: boolean },
): LeafEvent =>
  eventOf('reference.updated', reference, {
    more: { verifiedFrom: fromOn, verifiedTo: toOn, verificationWithdrawn: withdrawn },
    records: [{ table: 'reference_verification', key: id }],
  });

/** A repair was noted. */
export const repairEvent = (reference: LoggedReference, { id, onDay }: { id: string; onDay: string }): LeafEvent =>
  eventOf('reference.updated', reference, {
    more: { repairedOn: onDay },
    records: [{ table: 'reference_repair', key: id }],
  });

export type WithdrawalStep = Extract<LeafType, `withdrawal.${string}` | `lift.${string}`>;

/** A withdrawal or its lift was proposed, confirmed or dropped. Its reason is of a closed list. */
export const withdrawalEvent = (
  type: WithdrawalStep,
  reference: LoggedReference,
  { id, fromOn, toOn, reason }: { id: string; fromOn: string; toOn: string; reason: string },
): LeafEvent =>
  eventOf(type, reference, {
    more: { withdrawnFrom: fromOn, withdrawnTo: toOn, reason },
    records: [{ table: 'reference_withdrawal', key: id }],
  });

function eventOf(
  type: 'reference.added' | 'reference.updated' | WithdrawalStep,
  { id, name, place, state }: LoggedReference,
  { more, records = [] }: { more: LeafEvent['body']; records?: readonly RecordRef[] },
): LeafEvent {
  return {
    type,
    body: { reference: id, referenceName: name, referencePlace: place, referenceState: state, ...more },
    records: [{ table: 'reference', key: id }, ...records],
  };
}
