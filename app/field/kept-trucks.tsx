// My trucks: each with its age, which is larger than its due date: a verdict of yesterday may be wrong today.
import ClockAlert from 'lucide-react/icons/clock-exclamation-point';
import Gauge from 'lucide-react/icons/gauge';
import Star from 'lucide-react/icons/star';
import { Link } from 'react-router';
import { ButtonLink } from '#app/ui/button-link.tsx';
import { formatDay } from '#app/platform/time/calendar.ts';
import { RegoChip } from '#app/vehicles/plate.tsx';
import { ValidCalibrationBadge } from '#app/vehicles/verdict-badge.tsx';
import type { Verdict } from '#app/vehicles/verdict-table.ts';
import { durationWords } from '#app/platform/time/duration.ts';
import { asAtWords } from './age.ts';
import { STALE_MS, type FieldTruck } from './field.ts';
import type { Field, OnThisPhone } from './use-field.ts';

export function KeptTrucks({ field, phone }: { field: Field; phone: OnThisPhone }) {
  const { fetched, regos, lookedUp, now } = phone;
  const starred = new Set(regos.flatMap(({ rego, isStarred }) => (isStarred ? [rego] : [])));
  const trucks = (fetched?.trucks ?? []).toSorted((a, b) => rank(a, starred) - rank(b, starred) || inDueOrder(a, b));
  const gone = fetched?.missing ?? [];
  const takeOff = async () => {
    for (const rego of gone) await phone.store.delete('regos', rego);
    await field.refresh();
  };
  const others = lookedUp.filter(({ rego }) => !trucks.some((truck) => truck.rego === rego));
  return (
    <>
      <header className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h1 className="text-xl">My trucks</h1>
        <p className="text-ink-2">{`${trucks.length} on this phone`}</p>
      </header>
      {trucks.length === 0 ? (
        <p>
          {fetched === undefined
            ? 'Sign in once with a network: then your trucks are here without one too.'
            : 'You have not recorded a visit yet. Add the trucks that you will see.'}
        </p>
      ) : (
        <ul className="card divide-y divide-line">
          {trucks.map((truck) => (
            <TruckRow
              key={truck.rego}
              rego={truck.rego}
              verdict={truck.verdict}
              matchesLog={truck.matchesLog}
              due={truck.dueOn === null ? null : formatDay(truck.dueOn, 'short')}
              isStarred={starred.has(truck.rego)}
              asAt={fetched === undefined ? '' : asAtWords(new Date(fetched.at), now, fetched.zone)}
              ageMs={ageMs(fetched?.fetchedAt ?? '', now)}
              to={`#truck/${encodeURIComponent(truck.rego)}`}
            />
          ))}
        </ul>
      )}
      {gone.length === 0 ? null : (
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p>{`Not in the registry any more: ${gone.join(', ')}.`}</p>
          <button type="button" className="button-look button-secondary" onClick={() => void takeOff()}>
            Take off this phone
          </button>
        </div>
      )}
      {others.length === 0 ? null : (
        <section className="grid gap-3">
          <h2 className="text-lg">Looked up last</h2>
          <ul className="card divide-y divide-line">
            {others.map(({ rego, verdict, nextDue, asAt, seenAt }) => (
              <TruckRow
                key={rego}
                rego={rego}
                verdict={verdict ?? 'not-validated'}
                matchesLog={verdict !== null}
                due={nextDue}
                isStarred={false}
                asAt={`as at ${asAt}`}
                ageMs={ageMs(seenAt, now)}
              />
            ))}
          </ul>
        </section>
      )}
      <p className="text-sm text-ink-2">
        Each verdict is as at the time it was fetched. With signal, the list refreshes by itself.{' '}
        <Link to={{ hash: '#proof' }} className="link-in-text">
          Read a proof file
        </Link>
      </p>
      <div className="form-foot grid-cols-[1fr_auto]">
        <ButtonLink to={{ hash: '#start' }} look="primary" icon={Gauge}>
          Start a visit
        </ButtonLink>
        <ButtonLink to={{ hash: '#add' }}>Add by rego</ButtonLink>
      </div>
    </>
  );
}

function rank({ rego, isOwn }: FieldTruck, starred: ReadonlySet<string>): number {
  if (starred.has(rego)) return 0;
  return isOwn ? 1 : 2;
}
const inDueOrder = (a: FieldTruck, b: FieldTruck): number =>
  (a.dueOn ?? '9999').localeCompare(b.dueOn ?? '9999') || a.rego.localeCompare(b.rego);

function TruckRow({
  rego,
  verdict,
  matchesLog,
  due,
  isStarred,
  asAt,
  ageMs,
  to,
}: {
  rego: string;
  verdict: Verdict;
  matchesLog: boolean;
  due: string | null;
  isStarred: boolean;
  asAt: string;
  ageMs: number;
  to?: string;
}) {
  const chip = <RegoChip rego={rego} />;
  return (
    <li className="relative grid grid-cols-[1fr_auto] items-center gap-x-4 gap-y-2 p-4">
      <span className="flex items-center gap-2">
        {to === undefined ? (
          chip
        ) : (
          <Link to={{ hash: to }} className="quiet-link after:absolute after:inset-0">
            {chip}
          </Link>
        )}
        {isStarred ? <Star size={20} aria-label="Starred" className="fill-current" /> : null}
      </span>
      <span className="justify-self-end">
        <ValidCalibrationBadge verdict={verdict} matchesLog={matchesLog} />
      </span>
      <Age asAt={asAt} ageMs={ageMs} />
      <span className="self-start text-right text-sm text-ink-2">{due === null ? 'No due date' : `Due ${due}`}</span>
    </li>
  );
}

/** Of what was true at `since`, both by this phone's clock. */
export const ageMs = (since: string, now: Date): number => now.getTime() - Date.parse(since);

/** Amber after a day. `asAt`: when it was true, by the registry's clock. A clock set back since makes no age. */
export function Age({ asAt, ageMs: ms }: { asAt: string; ageMs: number }) {
  const isWrong = ms < -STALE_MS;
  const isStale = isWrong || ms > STALE_MS;
  return (
    <p>
      <span
        className={`inline-flex items-center gap-2 text-lg font-bold ${isStale ? 'rounded-sm bg-due-soft px-2 text-due-text' : ''}`}
      >
        {isStale ? <ClockAlert size={20} aria-hidden="true" /> : null}
        {isWrong ? 'Age unknown' : `${durationWords(ms)} old`}
      </span>
      <span className="block text-sm text-ink-2">{asAt}</span>
    </p>
  );
}
