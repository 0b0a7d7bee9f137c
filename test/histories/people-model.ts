// The rules of admins, applications and technicians, which depend on each other by their addresses: one object.
import { addDays, formatDay } from '#app/platform/time/calendar.ts';
import type { Step } from './linearize.ts';
import type { Call, Client, Entry, Outcome, PeopleOperation } from './operation.ts';

/**
 * `mark`: which record; the address may be admitted again. `canSignIn`: has a password. `removedBy`: who removed them,
 * while that may be refused.
 */
type Admin = {
  mark: string;
  email: string;
  live: boolean;
  version: number;
  address: string;
  canSignIn: boolean;
  removedBy: string | null;
};
type Application = { mark: string; email: string; decision: 'approved' | 'deleted' | null; by: string | null };
/** `suspensions`: in the order in which they came, their days both included. */
type Technician = { mark: string; email: string; removedBy: string | null; suspensions: readonly Suspension[] };
type Suspension = { mark: string; from: string; to: string | null; by: string; endedBy: string | null };

/** In the order in which they came. `kept`: the answers to forms that had an effect, by their key. */
export type PeopleState = {
  admins: readonly Admin[];
  applications: readonly Application[];
  technicians: readonly Technician[];
  kept: Readonly<Record<string, Outcome>>;
};

type Move = Step<PeopleState>;
type Who = { by: Client; email: string };

export function peopleModel(
  state: PeopleState,
  { by, operation }: Pick<Call<PeopleOperation>, 'by' | 'operation'>,
): Move {
  const kept = 'key' in operation ? state.kept[operation.key] : undefined;
  if (kept !== undefined) return { state, outcome: kept };
  const move = stepOf(state, by, operation);
  return 'key' in operation && !('reason' in move.outcome)
    ? { ...move, state: { ...move.state, kept: { ...move.state.kept, [operation.key]: move.outcome } } }
    : move;
}

function stepOf(state: PeopleState, by: Client, operation: PeopleOperation): Move {
  const { email } = operation;
  const admin = state.admins.find((one) => one.email === email && one.live);
  const technician = state.technicians.findLast((one) => one.email === email);
  const removed = state.admins.find((one) => one.email === email && one.removedBy !== null);
  const hasAccount =
    admin !== undefined || removed !== undefined || (technician !== undefined && technician.removedBy === null);
  const nothing = (outcome: Outcome): Move => ({ state, outcome });
  switch (operation.do) {
    case 'request': {
      if (hasAccount) return nothing({ requested: false, reason: 'already-registered' });
      if (state.applications.some((one) => one.email === email && one.decision === null))
        return nothing({ requested: false, reason: 'already-requested' });
      const application = { mark: operation.mark, email, decision: null, by: null };
      return {
        state: { ...state, applications: [...state.applications, application] },
        outcome: { requested: true },
        entries: [entryOf('application.submitted', email, `${email} asked to be registered`)],
      };
    }
    case 'approve':
      return decide(state, { by, email }, 'approved', hasAccount);
    case 'turn down':
      return decide(state, { by, email }, 'deleted', hasAccount);
    case 'remove technician': {
      if (technician === undefined) return nothing({ removed: false, reason: 'unknown' });
      if (technician.removedBy !== null)
        return nothing({ removed: false, reason: 'removed', by: technician.removedBy });
      const removed = { ...technician, removedBy: by.name };
      return {
        state: { ...state, technicians: state.technicians.map((one) => (one === technician ? removed : one)) },
        outcome: { removed: true },
        entries: [entryOf('technician.removed', by.email, `${email} removed`, [{ type: 'technician.removed' }])],
      };
    }
    case 'suspend':
    case 'lift':
      return suspension(state, by, operation, technician);
    case 'add admin': {
      if (hasAccount) return nothing({ added: false, reason: 'email-in-use' });
      const added = {
        mark: operation.mark,
        email,
        live: true,
        version: 1,
        address: '',
        canSignIn: true,
        removedBy: null,
      };
      return {
        state: { ...state, admins: [...state.admins, added] },
        outcome: { added: true },
        entries: [
          entryOf('admin.added', by.email, `${email} added`, [
            { type: 'admin.added' },
            ...(technician === undefined ? [] : [{ type: 'role.changed' }]),
          ]),
        ],
      };
    }
    case 'remove admin':
      return removeAdmin(state, { by, email }, admin);
    case 'decide removal':
      return decideRemoval(state, by, operation, removed);
    case 'open profile':
    case 'update profile':
      return profile(state, by, operation);
  }
}

function suspension(
  state: PeopleState,
  by: Client,
  operation: Extract<PeopleOperation, { do: 'suspend' | 'lift' }>,
  technician: Technician | undefined,
): Move {
  const refused = (more: Outcome): Move => ({ state, outcome: { decided: false, ...more } });
  if (technician === undefined) return refused({ reason: 'unknown' });
  if (technician.removedBy !== null) return refused({ reason: 'removed', by: technician.removedBy });
  const { email, from, mark } = operation;
  const done = (suspensions: readonly Suspension[], entry: Entry): Move => ({
    state: {
      ...state,
      technicians: state.technicians.map((one) => (one === technician ? { ...technician, suspensions } : one)),
    },
    outcome: { decided: true },
    entries: [entry],
  });
  if (operation.do === 'suspend') {
    const open = technician.suspensions.find(({ to }) => to === null);
    if (open !== undefined) return refused({ reason: 'suspended', from: open.from, by: open.by });
    return done(
      [...technician.suspensions, { mark, from, to: null, by: by.name, endedBy: null }],
      entryOf('technician.suspended', by.email, `${email} suspended from ${formatDay(from)}: ${mark}`, [
        { type: 'technician.suspended', from },
      ]),
    );
  }
  const asked = technician.suspensions.find((one) => one.mark === mark);
  if (asked === undefined || asked.endedBy !== null) return refused({ reason: 'lifted', by: asked?.endedBy ?? null });
  if (from < asked.from) return refused({ reason: 'too-early', suspendedFrom: asked.from });
  const lifted = { ...asked, to: addDays(from, -1), endedBy: by.name };
  return done(
    technician.suspensions.map((one) => (one === asked ? lifted : one)),
    entryOf('technician.reinstated', by.email, `${email}: suspension lifted from ${formatDay(from)}`, [
      { type: 'technician.reinstated', from },
    ]),
  );
}

function decide(state: PeopleState, { by, email }: Who, decision: 'approved' | 'deleted', hasAccount: boolean): Move {
  const isApproval = decision === 'approved';
  const done = isApproval ? 'approved' : 'deleted';
  const ofThisAddress = state.applications.filter((one) => one.email === email);
  const open = ofThisAddress.find((one) => one.decision === null);
  const last = ofThisAddress.at(-1);
  if (last === undefined) return { state, outcome: { [done]: false, reason: 'unknown' } };
  if (open === undefined)
    return { state, outcome: { [done]: false, reason: 'decided', decision: last.decision, by: last.by } };
  if (isApproval && hasAccount) return { state, outcome: { [done]: false, reason: 'email-already-in-use' } };
  const decided = { ...open, decision, by: by.name };
  const technicians = isApproval
    ? [...state.technicians, { mark: open.mark, email, removedBy: null, suspensions: [] }]
    : state.technicians;
  return {
    state: { ...state, applications: state.applications.map((one) => (one === open ? decided : one)), technicians },
    outcome: { [done]: true },
    entries: [
      isApproval
        ? entryOf('technician.approved', by.email, `${email} approved`, [
            { type: 'technician.approved' },
            ...(state.admins.some((one) => one.email === email) ? [{ type: 'role.changed' }] : []),
          ])
        : entryOf('application.deleted', by.email, `${email} deleted`),
    ],
  };
}

function removeAdmin(state: PeopleState, { by, email }: Who, admin: Admin | undefined): Move {
  const refused = (reason: string): Move => ({ state, outcome: { removed: false, reason } });
  if (!state.admins.some((one) => one.email === by.email && one.live)) return refused('no-admin-any-more');
  if (admin === undefined)
    return refused(state.admins.some((one) => one.email === email) ? 'removed-already' : 'unknown');
  if (email === by.email) return refused('self');
  if (!state.admins.some((one) => one !== admin && one.live && one.canSignIn)) return refused('last-admin');
  const removed = { ...admin, live: false, version: admin.version + 1, removedBy: by.email };
  return {
    state: { ...state, admins: state.admins.map((one) => (one === admin ? removed : one)) },
    outcome: { removed: true },
    entries: [entryOf('admin.removed', by.email, `${email} removed`, [{ type: 'admin.removed' }])],
  };
}

// All who decide have been admins for long. The one who removed takes it back.
function decideRemoval(
  state: PeopleState,
  by: Client,
  { email, decision }: Extract<PeopleOperation, { do: 'decide removal' }>,
  removed: Admin | undefined,
): Move {
  const refused = (reason: string): Move => ({ state, outcome: { decided: false, reason } });
  if (!state.admins.some((one) => one.email === by.email && one.live)) return refused('no-admin-any-more');
  if (removed === undefined) return refused('gone');
  const isBack = decision === 'refuse';
  if (!isBack && removed.removedBy === by.email) return refused('own');
  const decided = isBack
    ? { ...removed, live: true, version: removed.version + 1, removedBy: null }
    : { ...removed, canSignIn: false, removedBy: null };
  return {
    state: { ...state, admins: state.admins.map((one) => (one === removed ? decided : one)) },
    outcome: { decided: true },
    entries: [
      entryOf(
        isBack ? 'removal.refused' : 'removal.confirmed',
        by.email,
        `${email}: removal ${isBack ? 'refused' : 'confirmed'}`,
        isBack ? [{ type: 'admin.added' }] : [],
      ),
    ],
  };
}

// Of an admin who was there from the beginning; the mark of such a record is its address.
function profile(
  state: PeopleState,
  by: Client,
  operation: Extract<PeopleOperation, { do: 'open profile' | 'update profile' }>,
): Move {
  const { email } = operation;
  const found = state.admins.find((one) => one.mark === email && one.live);
  if (operation.do === 'open profile')
    return {
      state,
      outcome:
        found === undefined ? { state: 'gone' } : { state: 'live', version: found.version, address: found.address },
    };
  if (found === undefined) return { state, outcome: { updated: false, reason: 'gone' } };
  const { version, address } = found;
  if (version !== operation.version) return { state, outcome: { updated: false, reason: 'stale', version, address } };
  if (address === operation.address) return { state, outcome: { updated: true } };
  const updated = { ...found, version: version + 1, address: operation.address };
  return {
    state: { ...state, admins: state.admins.map((one) => (one === found ? updated : one)) },
    outcome: { updated: true },
    entries: [
      {
        ...entryOf(by.email === email ? 'profile.updated' : 'admin.updated', by.email, `${email} updated`),
        changes: [{ field: 'address', from: address, to: operation.address }],
      },
    ],
  };
}

const entryOf = (kind: string, by: string, details: string, leaves: readonly Outcome[] = []): Entry => ({
  kind,
  by,
  details,
  changes: [],
  leaves,
});
