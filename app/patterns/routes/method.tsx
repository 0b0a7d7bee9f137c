// /patterns/method: what is looked for in the records, by which figures, and what that cannot see. Never who was found.
import { logSize } from '#app/activity-log/queries.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { todayIn } from '#app/platform/time/calendar.ts';
import { SearchHeader } from '#app/shell/site-header.tsx';
import { Card } from '#app/ui/card.tsx';
import { FactList } from '#app/ui/fact-list.tsx';
import { useSite } from '#app/ui/site.ts';
import { titled } from '#app/ui/page-title.ts';
import { looksByYear } from '../looks-by-year.server.ts';
import { POWER_COLUMNS, POWER_PEOPLE } from '../power.ts';
import { presentMethod } from '../present-method.ts';
import type { Route } from './+types/method';

export const meta = titled('Patterns that deserve a look');

export async function loader({ context }: Route.LoaderArgs) {
  const { db, config, now } = context.get(servicesContext);
  return {
    since: await logSize(db),
    ...presentMethod(),
    looks: await looksByYear(db, todayIn(config.timeZone, now())),
  };
}

const anchorOf = (name: string): string => name.toLowerCase().replaceAll(/\W+/g, '-');

export default function PatternMethod({
  loaderData: { version, patterns, power, letPass, looks },
}: Route.ComponentProps) {
  const { registryName } = useSite();
  return (
    <>
      <SearchHeader name={registryName} />
      <main id="main" className="page grid max-w-220 grid-cols-[minmax(0,1fr)] gap-5 py-6">
        <div className="max-w-190">
          <h1 className="pb-2 text-xl">Patterns that deserve a look</h1>
          <p className="text-ink-2">{`Method, version ${version}`}</p>
          <p className="pt-3">
            What statistics cannot see is a careful invention: readings with random digits, spread times, a little drift
            and nobody else on the truck look as honest ones do, and only a second weighing by somebody else finds them.
            So visits are drawn at random for one. Beyond a tenth of the people who cheat alike, what is usual is
            theirs.
          </p>
          <p className="pt-3">
            Each night the registry counts, over twelve months, what invented or copied calibrations leave behind. What
            is found is a reason to look, for administrators only. It says nothing about a person, and no verdict rests
            on it. The technician is asked, and answers, before anything is done.
          </p>
          <p className="pt-3">
            Thousands of counts a night find something by chance alone. So the chances of all that is tested are
            corrected (Benjamini and Hochberg, 1995), such that of all that a month lists at most 5 in 100 are expected
            to be honest: half of that is spent on the last night of the month, the rest on the nights before. ‘Not
            enough data’ is the commonest answer.
          </p>
        </div>
        <Card title="How many are found">
          <p className="px-5 py-4">
            Of 100 who cheat in one way, so many are found at least (95 %; in brackets at most), in invented registries
            of
            {` ${POWER_PEOPLE} `}people, where a cheat fakes the stated share of what is counted.
          </p>
          <div className="overflow-x-auto">
            <table className="data-table text-sm">
              <caption className="sr-only">Cheats found, by visits a year and by how many cheat alike</caption>
              <thead>
                <tr>
                  <th scope="col">Pattern</th>
                  <th scope="col">Faked</th>
                  {POWER_COLUMNS.map(({ visits, cheats }) => (
                    <th key={`${visits} ${cheats}`} scope="col">{`${visits} visits, ${cheats} % cheat`}</th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {power.map(({ name, faked, cells }) => (
                  <tr key={name} className="border-b border-line align-top last:border-b-0">
                    <th scope="row" className="font-normal">
                      <a href={`#${anchorOf(name)}`}>{name}</a>
                    </th>
                    <td>{faked}</td>
                    {cells.map((cell, at) => (
                      <td key={at}>{cell}</td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </Card>
        <Card title="Honest habits that are let pass">
          <ul className="list-disc py-4 pr-5 pl-10">
            {letPass.map((habit) => (
              <li key={habit}>{habit}</li>
            ))}
          </ul>
        </Card>
        {patterns.map(({ name, facts, example }) => (
          <Card key={name} id={anchorOf(name)} title={name}>
            <dl className="grid gap-3 px-5 py-4">
              {facts.map(({ label, value }) => (
                <div key={label} className="gap-x-4 sm:grid sm:grid-cols-[9rem_1fr]">
                  <dt className="text-ink-2">{label}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
            <p className="border-t border-line px-5 py-4">
              <strong>Example. </strong>
              {example}
            </p>
          </Card>
        ))}
        <Card title="Looks and what came of them">
          {looks.length === 0 ? (
            <p className="px-5 py-4">Nothing was found up to the end of last month.</p>
          ) : (
            looks.map(({ year, found, open, outcomes }) => (
              <section key={year} aria-label={year}>
                <h3 className="px-5 pt-4 font-bold">{year}</h3>
                <FactList
                  facts={[
                    { label: 'Found', value: found },
                    { label: 'Not decided yet', value: open },
                    ...outcomes.map(({ words, count }) => ({ label: words, value: count })),
                  ]}
                />
              </section>
            ))
          )}
        </Card>
      </main>
    </>
  );
}
