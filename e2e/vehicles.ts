// What the stories about vehicles share.
import sharp from 'sharp';
import { enterLeaves } from '#test/leaves.ts';
import type { StartedRegistry } from '#test/start-registry.ts';

let made = 0;
export const newRego = (): string => `V${process.pid % 10_000}${(made += 1)}`;
export async function newVehicle(registry: StartedRegistry): Promise<string> {
  const rego = newRego();
  await registry.db.insertInto('vehicle').values({ rego, make: 'Volvo' }).execute();
  return rego;
}
/** One that was calibrated before visits were checked: what it says of it keeps its effect. */
export async function newCalibratedVehicle(registry: StartedRegistry): Promise<string> {
  const rego = newRego();
  const lastCalibratedAt = new Date(Date.now() - 30 * 24 * 3_600_000);
  await registry.db.insertInto('vehicle').values({ rego, make: 'Volvo', lastCalibratedAt }).execute();
  // Without an entry in the log its page finds that it does not match.
  await enterLeaves(registry.db);
  return rego;
}
export const picture = (color: string): Promise<Buffer> =>
  sharp({ create: { width: 200, height: 150, channels: 3, background: color } })
    .jpeg()
    .toBuffer();
export const PDF = Buffer.from('%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n');
