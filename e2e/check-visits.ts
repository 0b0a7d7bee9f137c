// A truck with a visit, for the story about check visits.
import type { StartedRegistry } from '#test/start-registry.ts';
import type { Person } from './people.ts';
import { recordSet, truck } from './visits.ts';

/** Adds a truck, weighed by `who` so many days ago. */
export async function weighedBy(
  registry: StartedRegistry,
  who: Person,
  daysAgo: number,
): Promise<{ rego: string; visit: string }> {
  const rego = await truck(registry);
  const set = await recordSet(registry, who, rego, daysAgo);
  if (!set.recorded) throw new Error(set.reason);
  return { rego, visit: set.setId };
}
