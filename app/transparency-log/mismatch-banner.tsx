import { RowIcon } from '#app/ui/row-icon.tsx';
import type { ReactNode } from 'react';

type MismatchBannerProps = { subject: string; plate: ReactNode; findings: readonly string[]; asAt: string };

/** In the verdict's place when a record is not what was logged: nothing here can be relied on. */
export function MismatchBanner({ subject, plate, findings, asAt }: MismatchBannerProps) {
  return (
    <div role="alert">
      <div className="verdict-overdue verdict-banner">
        <div className="plate">{plate}</div>
        <RowIcon name="octagon-x" className="row-icon" />
        <h1>
          <span className="sr-only">{`Scale calibration of ${subject}: `}</span>
          Does not match
        </h1>
        <div className="why">
          <p className="text-lg font-bold">Do not rely on this record. It is not what was entered in the public log.</p>
          <p className="font-semibold">{`As at ${asAt}`}</p>
        </div>
      </div>
      <ul className="list-disc py-3 pr-5 pl-10 wrap-anywhere">
        {findings.map((finding) => (
          <li key={finding}>{finding}</li>
        ))}
      </ul>
    </div>
  );
}
