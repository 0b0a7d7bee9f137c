// The product with one fault put in, to show that the judge finds it: what else was done stays as it is.
import { ValueNode, type KyselyPlugin, type RootOperationNode } from 'kysely';
import type { Services } from '#app/platform/services/services.server.ts';
import { FIRST_EVIDENCE_RULES } from '#app/policy/policy.ts';
import { findVehicle } from '#app/vehicles/queries.server.ts';
import type { Operation } from './operation.ts';
import { performByFunctions, type Perform } from './perform.ts';

/** Takes FOR UPDATE and its kind out of every query. */
const WITHOUT_ROW_LOCKS: KyselyPlugin = {
  transformQuery({ node }): RootOperationNode {
    if (node.kind !== 'SelectQueryNode') return node;
    const { endModifiers: _locks, ...query } = node;
    return query;
  },
  transformResult: async ({ result }) => result,
};

type Fault = (services: Services) => Perform;

/** Operations of these kinds lock no row. */
function withoutRowLocks(...kinds: readonly Operation['do'][]): Fault {
  return (services) => {
    const right = performByFunctions(services);
    const wrong = performByFunctions({ ...services, db: services.db.withPlugin(WITHOUT_ROW_LOCKS) });
    return (who, operation) => (kinds.includes(operation.do) ? wrong : right)(who, operation);
  };
}

/** An update that writes whatever the form holds, over whatever stands there by now. */
const withoutVersionCheck: Fault = (services) => {
  const perform = withoutRowLocks('update')(services);
  return async (who, operation) => {
    if (operation.do !== 'update') return perform(who, operation);
    const found = await findVehicle(services.db, operation.rego);
    const version = found.state === 'live' ? found.vehicle.version : operation.form.version;
    return perform(who, { ...operation, form: { ...operation.form, version } });
  };
};

/** A reading that locks nothing, and tries again where its id was taken: nobody sees an error. */
const recordWithoutLock: Fault = (services) => {
  const perform = withoutRowLocks('record')(services);
  return async (who, operation) => {
    for (;;)
      try {
        return await perform(who, operation);
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === '23505')) throw error;
      }
  };
};

/** The policy that these operations read is another one than was decided. */
const withOtherPolicy =
  (change: (policy: object) => object, ...kinds: readonly Operation['do'][]): Fault =>
  (services) => {
    const right = performByFunctions(services);
    const other: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => ({
        ...result,
        rows: result.rows.map((row) => ({
          ...row,
          ...(typeof row['policy'] === 'object' && row['policy'] !== null ? { policy: change(row['policy']) } : {}),
        })),
      }),
    };
    const wrong = performByFunctions({ ...services, db: services.db.withPlugin(other) });
    return (who, operation) => (kinds.includes(operation.do) ? wrong : right)(who, operation);
  };

/** A correction after the days of 'prompt' moves the due date later, and nobody looks at it. */
const lateCorrection = withOtherPolicy((policy) => ({ ...policy, promptDays: 60 }), 'correct');

const junkCounts = withOtherPolicy(
  (policy) => ({
    ...policy,
    checks: { ...FIRST_EVIDENCE_RULES.checks, plausible: 'noted' },
  }),
  ...(['record', 'record set', 'finish'] as const),
);

/** A set finds no withdrawal of its weighbridge. */
const withoutWithdrawals: Fault = (services) => {
  const right = performByFunctions(services);
  const none: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => ({
      ...result,
      rows: result.rows.filter((row) => !('confirmedAt' in row && 'fromOn' in row)),
    }),
  };
  const wrong = performByFunctions({ ...services, db: services.db.withPlugin(none) });
  return (who, operation) => (operation.do === 'record set' ? wrong : right)(who, operation);
};

/** What restores a vehicle leaves its due date as it was when it was removed. */
const restoredAsItWas: Fault = (services) => {
  const right = performByFunctions(services);
  const none: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => ({ ...result, rows: result.rows.filter((row) => !isOnlyId(row)) }),
  };
  const wrong = performByFunctions({ ...services, db: services.db.withPlugin(none) });
  return (who, operation) => (operation.do === 'restore' ? wrong : right)(who, operation);
};
const isOnlyId = (row: object) => Object.keys(row).join() === 'id';

/** A correction that ends the rule of its visit keeps nothing of its due date. */
const withoutKeptDates: Fault = (services) => {
  const right = performByFunctions(services);
  const none: KyselyPlugin = {
    transformQuery({ node }): RootOperationNode {
      if (node.kind !== 'UpdateQueryNode' || !JSON.stringify(node.updates).includes('due_kept_from')) return node;
      const updates = node.updates?.map((update) => ({ ...update, value: ValueNode.create(null) })) ?? [];
      return { ...node, updates };
    },
    transformResult: async ({ result }) => result,
  };
  const wrong = performByFunctions({ ...services, db: services.db.withPlugin(none) });
  return (who, operation) => (operation.do === 'correct' ? wrong : right)(who, operation);
};

/** `about`: the programs in which it shows soonest. */
export const PLANTED_FAULTS = [
  {
    fault: 'a correction after which an older visit rules by a later due date',
    perform: withoutKeptDates,
    about: 'vehicles',
  },
  { fault: 'a set that counts on a weighbridge which is withdrawn', perform: withoutWithdrawals, about: 'withdrawals' },
  { fault: 'a vehicle that comes back with the due date that it had', perform: restoredAsItWas, about: 'vehicles' },
  {
    fault: 'a late correction that moves the due date later and does not wait',
    perform: lateCorrection,
    about: 'vehicles',
  },
  { fault: 'readings that cannot be right, and count', perform: junkCounts, about: 'vehicles' },
  { fault: 'an update without version check and row lock', perform: withoutVersionCheck, about: 'vehicles' },
  { fault: 'an update whose version check holds no row lock', perform: withoutRowLocks('update'), about: 'vehicles' },
  { fault: 'a calibration recorded without lock', perform: recordWithoutLock, about: 'vehicles' },
  { fault: 'a correction without lock', perform: withoutRowLocks('correct'), about: 'vehicles' },
  { fault: 'admins removed without lock', perform: withoutRowLocks('remove admin'), about: 'people' },
  { fault: 'a suspension lifted without lock', perform: withoutRowLocks('lift'), about: 'people' },
] as const;
