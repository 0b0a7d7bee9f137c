// One operation, carried out by the product's own functions: those that the actions of its pages call.
import type { SignedIn } from '#app/access/session.server.ts';
import { findProfile } from '#app/people/profile-queries.server.ts';
import { updateProfile, PROFILE_UPDATED, recordUpdated } from '#app/people/update-profile.server.ts';
import { addAdmin } from '#app/admins/add-admin.server.ts';
import { listRemovals } from '#app/admins/queries.server.ts';
import { decideRemoval, removeAdmin } from '#app/admins/remove-admin.server.ts';
import { approveApplication } from '#app/applications/approve-application.server.ts';
import { deleteApplication } from '#app/applications/delete-application.server.ts';
import { requestRegistration } from '#app/applications/request-registration.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { removeTechnician } from '#app/technicians/remove-technician.server.ts';
import { reinstateTechnician, suspendTechnician } from '#app/technicians/suspend-technician.server.ts';
import type { Outcome, Operation, PeopleOperation } from './operation.ts';
import { onPolicy } from './perform-on-policy.ts';
import { onReference } from './perform-on-reference.ts';
import { byItself, onVehicle } from './perform-on-vehicle.ts';

/** What came of an operation. `id`: of the record that a form was opened for. */
export type Answer = { outcome: Outcome; id?: string };
/** Carries out an operation in somebody's name; what it throws nobody may ever see. */
export type Perform = (who: SignedIn, operation: Operation) => Promise<Answer>;

const PASSWORD = 'a weighbridge in the rain';
const FROM = '192.0.2.7';

/** The product, called as its pages call it. */
export function performByFunctions(services: Services): Perform {
  return (who, operation) => {
    if ('rego' in operation) return onVehicle(services, who, operation);
    if ('email' in operation) return onPeople(services, who, operation);
    switch (operation.do) {
      case 'close expired':
      case 'apply withdrawals':
        return byItself(services, operation);
      case 'withdraw':
      case 'decide withdrawal':
        return onReference(services, who, operation);
      default:
        return onPolicy(services, who, operation);
    }
  };
}

async function onPeople(services: Services, who: SignedIn, operation: PeopleOperation): Promise<Answer> {
  const { db } = services;
  const { email } = operation;
  switch (operation.do) {
    case 'request': {
      const { mark, key } = operation;
      const none = { company_name: 'Scales', abn: '', address: '', rep_name: '', rep_contact: '' };
      return {
        outcome: {
          ...(await requestRegistration(services, FROM, { input: { ...none, email, trade_licence_num: mark }, key })),
        },
      };
    }
    case 'approve': {
      const answer = await approveApplication(services, who, { email, first: { by: 'link' }, key: operation.key });
      return { outcome: 'decidedAt' in answer ? withoutTime(answer) : { ...answer } };
    }
    case 'turn down': {
      const answer = await deleteApplication(services, who, { email, reason: '', key: operation.key });
      return { outcome: 'decidedAt' in answer ? withoutTime(answer) : { ...answer } };
    }
    case 'remove technician':
      return { outcome: { ...(await removeTechnician(services, who, { email, key: operation.key })) } };
    case 'suspend': {
      const { from, mark: reason, key } = operation;
      const answer = await suspendTechnician(services, who, { email, from, reason, key });
      if ('suspension' in answer) {
        const { suspension, ...refusal } = answer;
        return { outcome: { ...refusal, ...suspension } };
      }
      if (!answer.decided) return { outcome: { ...answer } };
      const { id } = await db
        .selectFrom('suspension')
        .select('id')
        .where('reason', '=', reason)
        .orderBy('decidedAt', 'desc')
        .limit(1)
        .executeTakeFirstOrThrow();
      return { outcome: { ...answer }, id };
    }
    case 'lift': {
      const { from, id: suspension, key } = operation;
      return { outcome: { ...(await reinstateTechnician(services, who, { email, from, suspension, key })) } };
    }
    case 'add admin': {
      const { mark, key } = operation;
      const none = { name: '', phone: '', address: '', role: '', dob: null, image: '' };
      return {
        outcome: {
          ...(await addAdmin(services, who, { input: { ...none, email, password: PASSWORD, notes: mark }, key })),
        },
      };
    }
    case 'remove admin':
      return {
        outcome: { ...(await removeAdmin(services, who, { email, key: operation.key })) },
        id: (await listRemovals(db)).find((one) => one.email === email)?.id ?? '',
      };
    case 'decide removal': {
      const { id, decision, key } = operation;
      return { outcome: { ...(await decideRemoval(services, who, { id, decision, key })) } };
    }
    case 'open profile': {
      const found = await findProfile(db, { role: 'admin', recordId: operation.recordId });
      if (found === undefined) return { outcome: { state: 'gone' } };
      return { outcome: { state: 'live', version: found.version, address: found.address } };
    }
    case 'update profile': {
      const { recordId, version, address, key } = operation;
      const known = { name: nameOf(email), phone: '', dob: null, gender: '', notes: email, image: '', role: '' };
      const target = { role: 'admin', recordId } as const;
      const entry = who.email === email ? PROFILE_UPDATED : recordUpdated('admin');
      const answer = await updateProfile(services, who, { target, input: { ...known, version, address }, key, entry });
      if (answer.updated) return { outcome: { updated: true } };
      const now = 'now' in answer ? { version: answer.now.version, address: answer.now.address } : {};
      return { outcome: { updated: false, reason: answer.reason, ...now } };
    }
  }
}

/** What an admin of these histories is called. */
export const nameOf = (email: string): string => `Admin ${email.split('@')[0]}`;

function withoutTime<Answer extends { decidedAt: Date }>({ decidedAt: _when, ...answer }: Answer) {
  return answer;
}
