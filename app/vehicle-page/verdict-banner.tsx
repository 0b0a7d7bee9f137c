import { Plate } from '#app/vehicles/plate.tsx';
import type { Judgement } from '#app/vehicles/verdict.ts';
import { VERDICT_ICONS } from '#app/vehicles/verdict-badge.tsx';

/** The verdict, first and largest on the page: plate, icon, word, one sentence, and the moment that it holds for. */
export function VerdictBanner({ rego, judgement, asAt }: { rego: string; judgement: Judgement; asAt: string }) {
  const Icon = VERDICT_ICONS[judgement.verdict];
  return (
    <div className={`verdict-${judgement.verdict} verdict-banner`}>
      <div className="plate">
        <Plate rego={rego} />
      </div>
      <Icon strokeWidth={2} aria-hidden="true" />
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
