// Plates in the API: which vehicle a text names, now or on a day, and the plates that it had.
import { z } from '@hono/zod-openapi';
import { problem } from '#app/platform/http/problem-details.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { formatDay, isDay } from '#app/platform/time/calendar.ts';
import { findFormers, listFormerPlates, vehiclesOnDay } from './plates.server.ts';
import { ENDS, type FormerPlate } from './plates.ts';
import type { ReadRego } from './read-rego.server.ts';
import { plateText } from './plate-text.ts';

const formerSchema = z.object({
  plate: z.string(),
  plate_state: z.string().openapi({ description: 'Empty: not known' }),
  since: z.string().nullable(),
  until: z.string().openapi({ example: '2026-05-03' }),
  why: z.enum(ENDS).openapi({ description: 'joined: it was that of another record of the vehicle' }),
});
export const PLATES_SHAPE = {
  asked_plate: formerSchema.nullable().openapi({
    description: 'The plate that was asked for, where the vehicle had it before: `rego` is what it has now',
  }),
  former_plates: z.array(formerSchema).openapi({ description: 'In the order of the changes' }),
};

/** The headers of an answer about a vehicle that was asked for by another text than its rego: nobody keeps it. */
export const underOwnName = (asked: string | undefined, rego: string): Readonly<Record<string, string>> =>
  asked === rego ? {} : { 'cache-control': 'no-store' };

type Asked = { rego: string; former?: FormerPlate | undefined };

export async function askedNow(
  db: Services['db'],
  { rego, several }: ReadRego & { ok: true },
): Promise<Asked | Response> {
  if (several !== undefined) return severalVehicles(rego, several);
  const former = (await findFormers(db, [rego])).get(rego);
  return { rego: former?.now ?? rego, former };
}

/** The truck that had the plate on a day, as it is now. */
export async function askedOn(
  db: Services['db'],
  rego: string,
  { on, config }: { on: string; config: Services['config'] },
): Promise<Asked | Response> {
  if (!isDay(on)) return problem(400, 'day-invalid', { detail: '“on” is a day: 2026-04-01.' });
  const bearers = await vehiclesOnDay(db, rego, { day: on, zone: config.timeZone });
  const [bearer, ...more] = bearers;
  if (more.length > 0)
    return severalVehicles(
      plateText(rego),
      bearers.map((one) => one.rego),
    );
  if (bearer === undefined)
    return problem(404, 'vehicle-unknown', {
      detail: `No vehicle of this registry had the plate ${rego} on ${formatDay(on)}.`,
      more: { did_you_mean: [] },
    });
  const formers = await listFormerPlates(db, bearer.id);
  return { rego: bearer.rego, former: formers.findLast((one) => one.rego === bearer.plate && one.untilOn > on) };
}

export const presentFormer = ({ rego, state, sinceOn, untilOn, why }: FormerPlate): z.infer<typeof formerSchema> => ({
  plate: plateText(rego),
  plate_state: state,
  since: sinceOn,
  until: untilOn,
  why,
});

/** The problem response to a text that vehicles of several states have on their plates. */
export const severalVehicles = (text: string, regos: readonly string[]): Response =>
  problem(300, 'vehicle-several', {
    detail: `${regos.length} vehicles have ${text} on their plates, in different states. Ask for one with its state.`,
    more: { matches: regos },
  });
