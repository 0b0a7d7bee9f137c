// What an entry says in clear is what the public log shows of a record: so each record is compared with that too.
import { addDays } from '#app/platform/time/calendar.ts';
import { isValidation, vehicleDueField } from '#app/tlog/leaf-body.ts';
import type { Leaf } from '#app/tlog/leaf.ts';
import { unlikePolicyBody } from './policy-events.server.ts';
import type { RecordRef, RecordRow, RecordTable } from './record-snapshot.server.ts';

/** Half a sentence if the record is not as its entry says in clear. */
export function unlikeBody({ table }: RecordRef, row: RecordRow, leaf: Leaf): string | undefined {
  const { type, body } = leaf;
  const said: Readonly<Record<string, unknown>> =
    table === 'calibration'
      ? {
          id: body.calibration,
          axle: body.axle,
          attribute: body.attribute,
          value: body.value,
          due_on: body.nextDueOn ?? null,
        }
      : table === 'validation'
        ? { validated: body.validated, next_due_on: body.nextDueOn ?? null }
        : table === 'vehicle' && body.validated !== undefined && !isValidation(type)
          ? { calibration_validated: body.validated, next_calibration_due_on: body[vehicleDueField(type)] ?? null }
          : table === 'suspension'
            ? suspensionIn(type, body)
            : table === 'check_visit'
              ? checkVisitIn(type, body)
              : saidOfReference(table, body);
  const unlike =
    table === 'policy' || table === 'policy_proposal'
      ? unlikePolicyBody(row, leaf)
      : Object.keys(said).find((field) => said[field] !== row[field]);
  return unlike === undefined ? undefined : `the ${unlike} that its entry says in clear is not its own`;
}

function suspensionIn(type: Leaf['type'], { suspendedFrom, reinstatedFrom }: Leaf['body']): Record<string, unknown> {
  if (type === 'technician.suspended') return { from_on: suspendedFrom, to_on: null };
  return reinstatedFrom === undefined ? {} : { to_on: addDays(reinstatedFrom, -1) };
}

function checkVisitIn(type: Leaf['type'], body: Leaf['body']): Record<string, unknown> {
  const state = type === 'check-visit.wanted' ? 'open' : type.replace('check-visit.', '');
  const { visit, wantedUntil, checkedBy = null, checkResult = null } = body;
  return { visit_id: visit, until_on: wantedUntil, state, closed_by: checkedBy, result: checkResult };
}

function saidOfReference(table: RecordTable, body: Leaf['body']): Readonly<Record<string, unknown>> {
  switch (table) {
    case 'reference':
      return {
        id: body.reference,
        name: body.referenceName,
        place: body.referencePlace,
        state: body.referenceState,
      };
    case 'reference_verification':
      return { reference_id: body.reference, from_on: body.verifiedFrom, to_on: body.verifiedTo };
    case 'reference_repair':
      return { reference_id: body.reference, on_day: body.repairedOn };
    case 'reference_withdrawal': {
      const { reference, withdrawnFrom, withdrawnTo, reason } = body;
      return { reference_id: reference, from_on: withdrawnFrom, to_on: withdrawnTo, reason };
    }
    default:
      return {};
  }
}
