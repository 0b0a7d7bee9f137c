import { Outlet } from 'react-router';
import { Frame } from '../frame.tsx';

/** The frame of the back office. The guard (app/access/guard.server.ts) lets only signed-in people reach it. */
export default function BackOffice() {
  return (
    <Frame>
      <Outlet />
    </Frame>
  );
}
