import { isRouteErrorResponse } from 'react-router';
import { SearchHeader } from './site-header.tsx';
import { useSite } from '#app/ui/site.ts';
import { isMissingVehicle, MissingVehiclePage, missingWords } from '#app/vehicles/missing-vehicle.tsx';

/** In a page's place when the vehicle is not there. Any other error goes on to the frame around it. */
export function MissingVehicleBoundary({ error }: { error: unknown }) {
  const { registryName } = useSite();
  const missing: unknown = isRouteErrorResponse(error) ? error.data : undefined;
  if (!isMissingVehicle(missing)) throw error;
  return (
    <>
      <title>{`${missingWords(missing).title} · ${registryName}`}</title>
      <SearchHeader name={registryName} />
      <MissingVehiclePage missing={missing} />
    </>
  );
}
