// /field: the trucks and visits on this phone, also without a network. The document is the same for everyone; what it
// shows stands in the browser's own database.
import { FieldPage } from '../field-page.tsx';
import { titled } from '#app/ui/page-title.ts';

export const meta = titled('Field');
export const links = () => [{ rel: 'manifest', href: '/field.webmanifest' }];

export default function Field() {
  return (
    <>
      <noscript>
        <p className="page pt-5 font-semibold">
          This page needs scripts: it works without a network. With one, open the vehicle’s page and choose All axles.
        </p>
      </noscript>
      <FieldPage />
    </>
  );
}
