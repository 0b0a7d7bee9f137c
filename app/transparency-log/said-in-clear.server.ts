// What an entry says in clear is what the public log shows of a record: so each record is compared with that too.
import { addDays } from '#app/platform/time/calendar.ts';
import { isValidation, vehicleDueField, type Body } from '#app/tlog/leaf-body.ts';
import type { Leaf } from '#app/tlog/leaf.ts';
import { unlikePolicyBody } from './policy-body.ts';
import type { RecordRef, RecordRow } from './record-snapshot.server.ts';
import type { RecordTable } from '#database/log-tables.ts';

/** Half a sentence if the record is not as its entry says in clear. */
export function unlikeBody({ table }: RecordRef, row: RecordRow, leaf: Leaf): string | undefined {
  const said = saidOf(table, leaf);
  const unlike =
    table === 'policy' || table === 'policy_proposal'
      ? unlikePolicyBody(row, leaf)
      : Object.keys(said).find((field) => said[field] !== row[field]);
  return unlike === undefined ? undefined : `the ${unlike} that its entry says in clear is not its own`;
}

// The columns of a record that an entry says in clear, as it says them.
function saidOf(table: RecordTable, { type, body }: Leaf): Readonly<Record<string, unknown>> {
  switch (table) {
    case 'calibration': {
      const { calibration: id, axle, attribute, value, nextDueOn = null } = body;
      return { id, axle, attribute, value, due_on: nextDueOn };
    }
    case 'validation':
      return { validated: body.validated, next_due_on: body.nextDueOn ?? null };
    case 'vehicle':
      return {
        ...(body.validated === undefined || isValidation(type)
          ? {}
          : { calibration_validated: body.validated, next_calibration_due_on: body[vehicleDueField(type)] ?? null }),
        ...restsColumn(body),
        ...(body.plateState === undefined ? {} : { plate_state: body.plateState }),
      };
    case 'former_plate':
      return { until_on: body.platedOn, state: body.plateStateBefore, why: body.plateWhy };
    case 'suspension':
      if (type === 'technician.suspended') return { from_on: body.suspendedFrom, to_on: null };
      return body.reinstatedFrom === undefined ? {} : { to_on: addDays(body.reinstatedFrom, -1) };
    case 'check_visit': {
      const state = type === 'check-visit.wanted' ? 'open' : type.replace('check-visit.', '');
      const { visit, wantedUntil, checkedBy = null, checkResult = null } = body;
      return { visit_id: visit, until_on: wantedUntil, state, closed_by: checkedBy, result: checkResult };
    }
    case 'reference': {
      const { reference: id, referenceName: name, referencePlace: place, referenceState: state } = body;
      return { id, name, place, state };
    }
    case 'reference_verification':
      return { reference_id: body.reference, from_on: body.verifiedFrom, to_on: body.verifiedTo };
    case 'reference_repair':
      return { reference_id: body.reference, on_day: body.repairedOn };
    case 'reference_withdrawal': {
      const { reference, withdrawnFrom, withdrawnTo, reason } = body;
      return { reference_id: reference, from_on: withdrawnFrom, to_on: withdrawnTo, reason };
    }
    case 'wrong_report':
      return {
        kind: body.reported,
        visit_id: body.visit ?? null,
        reference_id: body.reference ?? null,
        ...(type === 'report.opened'
          ? { opened_on: body.reportDay }
          : { decided_on: body.reportDay, decision: body.reportDecision }),
      };
    default:
      return {};
  }
}

// Of a vehicle without a calibration the column says nothing that counts; verify-database.server.ts looks whether it
// has one.
const restsColumn = ({ restsOn }: Body) =>
  restsOn === undefined || restsOn === 'no-calibration' ? {} : { rests_on: restsOn === 'taken-over' ? '' : restsOn };
