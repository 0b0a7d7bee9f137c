import { SearchHeader } from './site-header.tsx';
import { useSite } from '#app/ui/site.ts';
import { MissingVehiclePage, missingTitle, readMissingVehicle } from '#app/vehicles/missing-vehicle.tsx';

/** In a page's place when the vehicle is not there. Any other error goes on to the frame around it. */
export function MissingVehicleBoundary({ error }: { error: unknown }) {
  const { registryName } = useSite();
  const missing = readMissingVehicle(error);
  if (missing === undefined) throw error;
  return (
    <>
      <title>{`${missingTitle(missing)} · ${registryName}`}</title>
      <SearchHeader name={registryName} />
      <MissingVehiclePage missing={missing} />
    </>
  );
}
