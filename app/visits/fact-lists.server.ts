// The lists among a visit's facts, as the API presents them.
import { z } from '@hono/zod-openapi';
import { trailersIn } from '#app/readings/visit-trailers.ts';
import { LOADS, weighingsIn } from '#app/readings/weighings.ts';
import { AXLES, axleGroupsOf } from '#app/vehicles/axle.ts';

export const axleNames = z.enum(AXLES.map((known) => known.axle));

export const FACT_LISTS = {
  'axle groups': z.array(axleNames).openapi({
    description: 'Axle groups of trailers that were not behind the truck at its visit, as the technician says',
  }),
  trailers: z.array(z.object({ group: axleNames.nullable(), rego: z.string() })).openapi({
    description:
      'The trailers behind the truck at its visit: which of its groups each is; null: it has a unit of its own',
  }),
  weighings: z
    .array(
      z.object({
        load: z.enum(LOADS.map((known) => known.load)),
        deck: z.array(z.string()).openapi({
          description:
            'The axle groups that stood on it, by axle_type; of another unit with its rego, as in REAR@T12345',
        }),
        kg: z.number().openapi({ description: 'What it showed' }),
        weighed_on: z.string().nullable().openapi({ description: 'Null: on the day of the visit' }),
        weighbridge: z.string().nullable().openapi({ description: 'As typed. Null: that of the visit' }),
        reference: z.string().nullable().openapi({ description: 'The id of that weighbridge in the register' }),
        interval_kg: z.number().nullable().openapi({ description: 'Its verification interval e; null: not known' }),
        ticket_number: z.string(),
      }),
    )
    .openapi({ description: 'What stood on a weighbridge, in order. Empty: each group by itself' }),
};

export function factList(kind: keyof typeof FACT_LISTS, text: string) {
  if (kind === 'trailers') return trailersIn(text);
  if (kind === 'axle groups') return axleGroupsOf(text);
  return weighingsIn(text).map(({ load, deck, kg, on, at, reference, e, ticket }) => ({
    load,
    deck: [...deck],
    kg,
    weighed_on: on ?? null,
    weighbridge: at ?? null,
    reference: reference ?? null,
    interval_kg: e ?? null,
    ticket_number: ticket ?? '',
  }));
}
