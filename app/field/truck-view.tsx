// One truck as it was known when it was fetched, and the start of a visit to it.
import ArrowLeft from 'lucide-react/icons/arrow-left';
import Gauge from 'lucide-react/icons/gauge';
import Star from 'lucide-react/icons/star';
import { useState } from 'react';
import { Link } from 'react-router';
import { ButtonLink } from '#app/ui/button-link.tsx';
import { Card } from '#app/ui/card.tsx';
import { FactList } from '#app/ui/fact-list.tsx';
import { Note } from '#app/ui/note.tsx';
import { formatDay } from '#app/platform/time/calendar.ts';
import { days } from '#app/policy/policy.ts';
import { Plate } from '#app/vehicles/plate.tsx';
import { ValidCalibrationBadge } from '#app/vehicles/verdict-badge.tsx';
import { asAtWords } from './age.ts';
import { isCalled } from './field.ts';
import { Age, ageMs } from './kept-trucks.tsx';
import type { Field, OnThisPhone } from './use-field.ts';

export function TruckView({ field, phone, rego }: { field: Field; phone: OnThisPhone; rego: string }) {
  const { fetched, store, regos, now } = phone;
  const [newId] = useState(() => crypto.randomUUID());
  const truck = fetched?.trucks.find((one) => isCalled(one, rego));
  if (fetched === undefined || truck === undefined)
    return (
      <>
        <BackToTrucks />
        <Note kind="info">{`${rego} is not on this phone. Add it by its rego while there is signal.`}</Note>
      </>
    );
  const isStarred = regos.some((one) => one.rego === rego && one.isStarred);
  const isAdded = regos.some((one) => one.rego === rego);
  const keep = async (next: { isStarred: boolean } | null) => {
    if (next === null) await store.delete('regos', rego);
    else await store.put('regos', { rego, ...next });
    await field.changed();
  };
  return (
    <>
      <BackToTrucks />
      <section className="card grid grid-cols-[minmax(0,1fr)] gap-4 p-5 max-row:p-4">
        <div className="flex items-start justify-between gap-4">
          <h1 className="w-44 min-w-0">
            <span className="sr-only">{rego}</span>
            <Plate rego={truck.rego} />
          </h1>
          <button
            type="button"
            aria-pressed={isStarred}
            className="button-look button-secondary shrink-0"
            onClick={() => void keep(isStarred && truck.isOwn ? null : { isStarred: !isStarred })}
          >
            <Star size={20} aria-hidden="true" className={isStarred ? 'fill-current' : ''} />
            {isStarred ? 'Starred' : 'Star'}
          </button>
        </div>
        <div className="flex flex-wrap items-center justify-between gap-3">
          <ValidCalibrationBadge verdict={truck.verdict} matchesLog={truck.matchesLog} />
          <Age asAt={asAtWords(new Date(fetched.at), now, fetched.zone)} ageMs={ageMs(fetched.fetchedAt, now)} />
        </div>
        {truck.checkUntilOn === undefined ? null : (
          <Note kind="info">{`A check visit is wanted until ${formatDay(truck.checkUntilOn)}. Read all axles, as always. It says nothing about anybody.`}</Note>
        )}
        <div className="-mx-5 -mb-2 max-row:-mx-4">
          <FactList
            facts={[
              { label: 'Next calibration due', value: truck.dueOn === null ? 'No due date' : formatDay(truck.dueOn) },
              { label: 'What it rests on', value: truck.restsOn },
              { label: 'VIN', value: truck.vin === '' ? 'N/A' : truck.vin },
            ]}
          />
        </div>
      </section>
      <Card title="Newest readings">
        {truck.lines.length === 0 ? (
          <p className="px-5 py-4">No calibration has been recorded.</p>
        ) : (
          <FactList facts={truck.lines.map(({ label, day, words }) => ({ label: `${label}, ${day}`, value: words }))} />
        )}
      </Card>
      <details className="card group">
        <summary className="flex min-h-14 cursor-pointer items-center px-5 font-semibold max-row:px-4">
          {`What a visit is held against (rules version ${fetched.policy.version})`}
        </summary>
        <div className="grid gap-3 border-t border-line p-5 max-row:p-4">
          <p>{`A visit is sent within ${days(fetched.policy.promptDays)}, or it waits for an administrator. The due date is at most ${days(fetched.policy.longestIntervalDays)} after the visit.`}</p>
          <ul className="grid gap-1">
            {fetched.checks
              .filter(({ rule }) => rule !== 'off')
              .map(({ check, name, rule }) => (
                <li key={check}>{rule === 'must' ? name : `${name} (noted only)`}</li>
              ))}
          </ul>
        </div>
      </details>
      {isAdded && !truck.isOwn ? (
        <p>
          <button type="button" className="button-look button-secondary" onClick={() => void keep(null)}>
            Take off this phone
          </button>
        </p>
      ) : null}
      <div className="form-foot">
        <ButtonLink to={{ hash: `#visit/${newId}/${encodeURIComponent(rego)}` }} look="primary" icon={Gauge}>
          Start a visit
        </ButtonLink>
      </div>
    </>
  );
}

export function BackToTrucks() {
  return (
    <p>
      <Link to={{ hash: '' }} className="inline-flex min-h-11 items-center gap-2 font-semibold">
        <ArrowLeft size={20} aria-hidden="true" />
        My trucks
      </Link>
    </p>
  );
}
