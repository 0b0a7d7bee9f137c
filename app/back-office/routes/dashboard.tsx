import { href, Link } from 'react-router';
import { useSite } from '#app/ui/site.ts';
import type { Route } from './+types/dashboard';

export function meta({ matches }: Route.MetaArgs): Route.MetaDescriptors {
  return [{ title: `Dashboard · ${matches[0].loaderData?.registryName ?? ''}` }];
}

export default function Dashboard() {
  const { signedIn } = useSite();
  return (
    <main id="main">
      <h1 className="text-xl">Dashboard</h1>
      <p className="pt-3">{`You are signed in as ${signedIn?.name ?? ''}.`}</p>
      <p className="pt-3">
        <Link to={href('/my-profile')}>My Profile</Link>
      </p>
    </main>
  );
}
