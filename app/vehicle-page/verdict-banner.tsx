import type { ReactNode } from 'react';
import type { Judgement } from '#app/vehicles/verdict.ts';
import { RowIcon } from '#app/ui/row-icon.tsx';
import { VERDICT_ICONS } from '#app/vehicles/verdict-badge.tsx';

type BannerProps = { plate: ReactNode; rego: string; judgement: Judgement; asAt: string };

/** The verdict, first and largest on the page: plate, icon, word, one sentence, and the moment that it holds for. */
export function VerdictBanner({ plate, rego, judgement, asAt }: BannerProps) {
  return (
    <div className={`verdict-${judgement.verdict} verdict-banner`}>
      <div className="plate">{plate}</div>
      <RowIcon name={VERDICT_ICONS[judgement.verdict]} className="row-icon" />
      <h1>
        <span className="sr-only">{`Scale calibration of ${rego}: `}</span>
        {judgement.word}
      </h1>
      <div className="why">
        <p className="text-lg font-bold">{judgement.sentence}</p>
        <p className="font-semibold">{`As at ${asAt}`}</p>
      </div>
    </div>
  );
}
