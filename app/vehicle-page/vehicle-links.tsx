import { href, Link } from 'react-router';
import { stayWhenOffline } from '#app/ui/needs-network.ts';
import { RowIcon } from '#app/ui/row-icon.tsx';
import { ReportLink } from '#app/wrong-records/report-link.tsx';
import { ShareLink } from './share-link.tsx';

/** What else anyone can do with a vehicle's page. */
export function VehicleLinks({ rego, hasLabel, isFramed }: { rego: string; hasLabel: boolean; isFramed: boolean }) {
  return (
    <p className={`no-print flex flex-wrap items-center gap-x-5 pt-2 ${isFramed ? 'max-sm:hidden' : ''}`}>
      <Link
        to={href('/vehicles/follow/:rego', { rego: rego })}
        className="inline-flex min-h-11 items-center gap-2 font-semibold"
      >
        <RowIcon name="bell" className="row-icon size-4.5" />
        Follow by email
      </Link>
      <a
        href={`/vehicles/report/${rego}.pdf`}
        className="inline-flex min-h-11 items-center gap-2 font-semibold"
        download
        onClick={stayWhenOffline}
      >
        <RowIcon name="file-text" className="row-icon size-4.5" />
        Report (PDF)
      </a>
      {hasLabel ? (
        <a
          href={`/vehicles/label/${rego}.pdf`}
          className="inline-flex min-h-11 items-center font-semibold"
          download
          onClick={stayWhenOffline}
        >
          Label
        </a>
      ) : null}
      <ReportLink about={{ vehicle: rego }} />
      <ShareLink rego={rego} className="min-h-11 font-semibold text-accent underline" />
    </p>
  );
}
