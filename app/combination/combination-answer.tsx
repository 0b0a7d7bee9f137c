// The answer to units that are coupled: one word for all, the picture, and each unit in the order of the road.
import { href, Link } from 'react-router';
import { PolicyLine } from '#app/policy/policy-line.tsx';
import { counted } from '#app/ui/counted.ts';
import { UnitsPicture } from '#app/vehicles/units-picture.tsx';
import { RowIcon } from '#app/ui/row-icon.tsx';
import { Plate, RegoChip } from '#app/vehicles/plate.tsx';
import { ValidCalibrationBadge, VERDICT_ICONS, VerdictBadge } from '#app/vehicles/verdict-badge.tsx';
import type { CombinationPage } from './combination-page.server.ts';
import type { ShownCombination, ShownUnit } from './present-combination.ts';

// Lucide's, as in row-icon.tsx; no other page has it.
const UNLINK =
  'M18.84 12.25l1.72-1.71h-.02a5.004 5.004 0 0 0-.12-7.07 5.006 5.006 0 0 0-6.95 0l-1.72 1.71M5.17 11.75l-1.71 1.71a5.004 5.004 0 0 0 .12 7.07 5.006 5.006 0 0 0 6.95 0l1.71-1.71M8 2v3M2 8h3M16 19v3M19 16h3';

type Log = CombinationPage['log'];

export function CombinationAnswer({ shown, log }: { shown: ShownCombination; log: Log }) {
  const { picture, notHeld, units } = shown;
  return (
    <div className="card verdict-card">
      <Banner shown={shown} />
      {notHeld === null ? null : (
        <p className="flex gap-3 bg-ink px-5 py-3 text-surface max-row:px-4 print:border print:bg-surface print:text-ink">
          <svg viewBox="0 0 24 24" className="row-icon mt-0.5 size-5" aria-hidden="true">
            <path d={UNLINK} />
          </svg>
          <span className="min-w-0 wrap-anywhere">
            <strong>{notHeld.lead}</strong> {notHeld.rest}
          </span>
        </p>
      )}
      {picture === null ? null : <UnitsPicture picture={picture} />}
      <ol className="units">
        {units.map((unit) => (
          <Unit key={unit.place} unit={unit} of={shown.isPast ? 'past' : 'today'} />
        ))}
      </ol>
      <div className="grid gap-1 border-t border-line bg-sunken px-5 py-2.5 text-sm text-ink-2 max-row:px-4">
        {shown.twice === '' ? null : <p className="text-ink">{shown.twice}</p>}
        <p>{shown.foot}</p>
        <p>
          The registry shows what has been recorded about the scales. It does not show what the vehicles weigh.{' '}
          {log === null
            ? null
            : `Log of ${counted(log.size, 'entry', 'entries')}, root ${log.rootHex.slice(0, 8)}…${log.rootHex.slice(-4)}. `}
          <PolicyLine version={shown.policyVersion} />
        </p>
      </div>
    </div>
  );
}

function Banner({ shown: { word, label, sentence, asAt, isPast, units } }: { shown: ShownCombination }) {
  return (
    <div className={`verdict-${isPast ? 'past' : word} verdict-banner of-units`}>
      <p className="plate font-bold">{`${counted(units.length, 'unit', 'units')} checked together`}</p>
      <RowIcon name={word === 'no-answer' ? 'search-x' : VERDICT_ICONS[word]} className="row-icon" />
      <h1>
        <span className="sr-only">{`Scale calibration of ${units.map(({ rego }) => rego).join(', ')}: `}</span>
        {label}
      </h1>
      <div className="why">
        <p className="text-lg font-bold wrap-anywhere">{sentence}</p>
        <p className="font-semibold">{`As at ${asAt}`}</p>
      </div>
    </div>
  );
}

function Unit({ unit, of }: { unit: ShownUnit; of: 'past' | 'today' }) {
  const { place, rego, hasPage, isWorst, word, due, before, regos, after, about } = unit;
  return (
    <li data-worst={isWorst ? word : undefined}>
      <p className="text-sm text-ink-2">{place}</p>
      <div className="flex items-center justify-between gap-x-3 gap-y-1 py-1 md:flex-col md:items-start print:flex-col print:items-start">
        {hasPage ? (
          <Link to={href('/vehicles/view/:rego', { rego })} className="quiet-link inline-flex min-h-11 items-center">
            <span className="md:sr-only print:sr-only">
              <RegoChip rego={rego} />
            </span>
            <span className="hidden w-52 md:block print:block print:w-40">
              <Plate rego={rego} />
            </span>
          </Link>
        ) : (
          <span className="my-1.5 rounded-sm border-2 border-dashed border-ink px-2 font-bold tracking-wider wrap-anywhere">
            {rego}
          </span>
        )}
        {of === 'past' ? <strong>{`It said “${unit.badge}”`}</strong> : <Said unit={unit} />}
      </div>
      <p className="wrap-anywhere">
        {due === '' ? null : <strong>{`${due}. `}</strong>}
        {before}
        {regos.map((one, nth) => (
          <span key={one}>
            {nth === 0 ? '' : ', '}
            <Link to={href('/vehicles/view/:rego', { rego: one })} className="link-in-text">
              {one}
            </Link>
          </span>
        ))}
        {after}
      </p>
      {about === '' ? null : <p className="pt-1 text-sm wrap-anywhere text-ink-2">{about}</p>}
    </li>
  );
}

function Said({ unit: { word, badge, matchesLog } }: { unit: ShownUnit }) {
  if (!matchesLog) return <ValidCalibrationBadge verdict="overdue" matchesLog={false} />;
  return word === 'no-answer' ? <strong>{badge}</strong> : <VerdictBadge verdict={word} />;
}
