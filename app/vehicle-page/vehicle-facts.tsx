import { RowIcon } from '#app/ui/row-icon.tsx';
import type { ReactNode } from 'react';
import { RecorderLink, type RecorderName } from '#app/readings/recorder-name.tsx';
import type { ShownEvidence } from '#app/visits/present-evidence.ts';
import type { CertificateFact } from './vehicle-page.server.ts';

/** The three facts under the verdict. */
export function VehicleFacts({
  lastCalibrated,
  calibratedBy,
  nextDue,
  certificate,
}: {
  lastCalibrated: ShownEvidence['lastCalibrated'];
  calibratedBy: RecorderName | null;
  nextDue: string | null;
  certificate: CertificateFact;
}) {
  return (
    <dl className="three-facts">
      <FactCell label="Last calibrated">
        {lastCalibrated === null ? 'N/A' : lastCalibrated.day}
        {lastCalibrated === null || lastCalibrated.remark === '' ? null : (
          <span className="text-sm font-normal text-ink-2">{` (${lastCalibrated.remark})`}</span>
        )}
        {calibratedBy === null ? null : (
          <span className="block text-sm font-normal wrap-anywhere">
            by <RecorderLink recorder={calibratedBy} />
          </span>
        )}
      </FactCell>
      <FactCell label="Next calibration due">{nextDue ?? 'N/A'}</FactCell>
      <FactCell label="Certificate">
        <Certificate certificate={certificate} />
      </FactCell>
    </dl>
  );
}

function FactCell({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Certificate({ certificate }: { certificate: CertificateFact }) {
  if (certificate.state === 'none') return 'N/A';
  if (certificate.state === 'missing') return 'Certificate missing';
  return (
    <>
      <span className="no-print -my-2 inline-flex flex-wrap items-center gap-x-4 max-sm:justify-end">
        <a
          href={certificate.href}
          target="_blank"
          rel="noreferrer"
          className="inline-flex min-h-11 items-center gap-1.5"
        >
          <RowIcon name="file-check-corner" className="row-icon size-5" />
          View
        </a>
        {certificate.state === 'here' ? (
          <>
            <a
              href={certificate.href}
              className="inline-flex min-h-11 min-w-11 items-center justify-center"
              aria-label="Download certificate"
              download
            >
              Download
            </a>
            <span className="text-sm font-normal text-ink-2">{certificate.about}</span>
          </>
        ) : null}
      </span>
      {certificate.state === 'former' ? (
        <span className="no-print pl-2 text-sm font-normal text-ink-2">in the former storage</span>
      ) : null}
      <span className="print-only hidden">On file</span>
    </>
  );
}
