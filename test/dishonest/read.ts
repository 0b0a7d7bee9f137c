// What anybody reads of the truck and of the rules, by the public API.
import { z } from 'zod';
import { findVehicle } from '#app/vehicles/queries.server.ts';
import { apiApp } from '#server/api.ts';
import type { TestServices } from '#test/services.ts';
import type { Read, Rules } from './rules.ts';

const truckSchema = z.object({
  verdict: z.string(),
  next_calibration_due: z.string().nullable(),
  calibration_validated: z.boolean(),
  evidence: z.object({ visit: z.string().nullable(), visited_on: z.string() }).nullable(),
});
const rulesSchema = z.object({
  items: z.array(
    z.object({
      version: z.int(),
      checks: z.record(z.string(), z.string()),
      every_visit_waits: z.boolean(),
      longest_interval_days: z.int(),
      prompt_days: z.int(),
    }),
  ),
});

const apis = new WeakMap<TestServices, ReturnType<typeof apiApp>>();

export async function readOf(services: TestServices, rego: string): Promise<Read> {
  const api = apis.get(services) ?? apiApp(services);
  apis.set(services, api);
  const rules = await readRules(api);
  const answer = await api.request(`/vehicles/${rego}`);
  const found = await findVehicle(services.db, rego);
  if (answer.status !== 200 || found.state !== 'live')
    return { vehicleId: '', until: '', ticked: false, ruling: null, rules };
  const { verdict, evidence, ...truck } = truckSchema.parse(await answer.json());
  const isGood = ['valid', 'due-soon', 'overdue'].includes(verdict);
  return {
    vehicleId: found.vehicle.id,
    until: isGood ? (truck.next_calibration_due ?? '9999-12-31') : '',
    ticked: truck.calibration_validated,
    ruling: evidence === null ? null : { visit: evidence.visit, day: evidence.visited_on },
    rules,
  };
}

async function readRules(api: ReturnType<typeof apiApp>): Promise<Rules> {
  const answer = await api.request('/policies');
  const [inForce] = rulesSchema.parse(await answer.json()).items;
  if (inForce === undefined) throw new Error('no rules are in force');
  const { version, checks, every_visit_waits, longest_interval_days, prompt_days } = inForce;
  return { version, checks, everyVisitWaits: every_visit_waits, longest: longest_interval_days, prompt: prompt_days };
}
