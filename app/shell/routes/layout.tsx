import { Outlet } from 'react-router';
import { useSite } from '#app/ui/site.ts';
import { Frame } from '../frame.tsx';

/** The frame of the back office. The guard (app/access/guard.server.ts) lets only signed-in people reach it. */
export default function BackOffice() {
  const { registryName, signedIn } = useSite();
  if (signedIn === null) return <Outlet />;
  return (
    <Frame registryName={registryName} who={signedIn}>
      <Outlet />
    </Frame>
  );
}
