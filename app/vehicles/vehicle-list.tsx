import Download from 'lucide-react/icons/download';
import SearchX from 'lucide-react/icons/search-x';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { PolicyLine } from '#app/policy/policy-line.tsx';
import { useListLeft } from '#app/ui/list-left.ts';
import { Pager } from '#app/ui/pager.tsx';
import { SearchBox } from '#app/ui/search-box.tsx';
import { FILTERS, isNarrowed, listHref, listOptions, TEXT_MAX_LENGTH } from './list-query.ts';
import { VERDICT_ICONS } from './verdict-badge.tsx';
import { VERDICTS, type Verdict } from './verdict.ts';
import type { VehicleListPage } from './vehicle-list-page.server.ts';
import { ListOptions } from './list-options.tsx';
import { VehicleTable } from './vehicle-table.tsx';

type Part = { list: VehicleListPage };

/**
 * The back office's list: search, filters, table, pages. `labels` is a form below the table, and `tickForm` its id: the
 * tick boxes of the rows belong to it.
 */
export function VehicleList({ list, tickForm, labels }: Part & { tickForm: string | undefined; labels: ReactNode }) {
  const { query, pages } = list;
  useListLeft();
  return (
    <div className="card">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 pt-3">
        <TypedFilters list={list} />
        <div className="flex grow items-center justify-between gap-x-4">
          <p
            role="status"
            className="text-ink-3"
          >{`${list.total.toLocaleString('en-AU')} ${list.total === 1 ? 'vehicle' : 'vehicles'}`}</p>
          <a
            href={listHref({ ...query, page: 1 }, '/vehicles.csv')}
            className="inline-flex min-h-(--size-target) items-center gap-2 font-semibold"
          >
            <Download size={18} aria-hidden="true" />
            Export CSV
          </a>
        </div>
      </div>
      <VerdictFilter list={list} />
      {list.rows.length === 0 ? <NoVehicle list={list} /> : <VehicleTable list={list} tickForm={tickForm} />}
      <div className="flex flex-wrap items-center justify-between gap-x-4 border-t border-line px-4 py-2">
        {labels}
        <p className="text-sm text-ink-3">
          <PolicyLine version={list.policyVersion} />
        </p>
      </div>
      <Pager
        page={query.page}
        pages={pages}
        label="Pages of vehicles"
        hrefOf={(page) => listHref({ ...query, page })}
      />
    </div>
  );
}

function TypedFilters({ list: { query } }: Part) {
  return FILTERS.map(({ name, param, label, placeholder, typing }) => (
    <SearchBox
      key={name}
      path="/vehicles"
      name={param}
      text={query[name]}
      hrefOf={(text) => listHref({ ...query, [name]: text, page: 1 })}
      label={label}
      placeholder={placeholder}
      maxLength={TEXT_MAX_LENGTH}
      {...typing}
      autoCorrect="off"
    >
      <ListOptions options={listOptions({ ...query, [name]: '' })} />
    </SearchBox>
  ));
}

// On a phone it is one row that scrolls sideways, so that the vehicles stay near the top.
function VerdictFilter({ list: { query, counts, all } }: Part) {
  const hrefOf = (verdicts: readonly Verdict[]) => listHref({ ...query, verdicts, page: 1 });
  return (
    <nav aria-label="Filter by verdict" className="overflow-x-auto px-4 py-3">
      <ul className="flex gap-2 sm:flex-wrap">
        <li>
          <Filter href={hrefOf([])} current={query.verdicts.length === 0} count={all}>
            All
          </Filter>
        </li>
        {VERDICTS.toReversed().map(({ verdict, word }) => {
          const Icon = VERDICT_ICONS[verdict];
          return (
            <li key={verdict}>
              <Filter
                href={hrefOf([verdict])}
                current={query.verdicts.includes(verdict)}
                count={counts?.[verdict] ?? 0}
              >
                <Icon size={16} aria-hidden="true" className={`filter-${verdict}`} />
                {word}
              </Filter>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

function Filter(props: { href: string; current: boolean; count: number; children: React.ReactNode }) {
  return (
    <Link to={props.href} preventScrollReset aria-current={props.current ? 'true' : undefined} className="filter-link">
      {props.children}
      <span className="font-normal text-ink-3">{props.count.toLocaleString('en-AU')}</span>
    </Link>
  );
}

function NoVehicle({ list: { query, unsearchable, all } }: Part) {
  const asked = FILTERS.map(({ name }) => query[name]).filter((text) => text !== '');
  const matching = asked.map((text) => `“${text}”`).join(' and ');
  return (
    <div className="border-t border-line px-5 py-12 text-center">
      <SearchX size={36} className="mx-auto text-ink-3" aria-hidden="true" />
      <p className="pt-3 text-lg font-bold wrap-anywhere">
        {unsearchable
          ? 'Enter letters or digits to search'
          : asked.length > 0 && all === 0
            ? `No vehicle matches ${matching}`
            : query.verdicts.length > 0
              ? `No vehicle${asked.length === 0 ? '' : ` that matches ${matching}`} is ${wordsOf(query.verdicts)}`
              : 'No vehicles in this registry yet'}
      </p>
      {isNarrowed(query) ? (
        <Link to="/vehicles" className="mt-2 inline-flex min-h-11 items-center font-semibold">
          Show all vehicles
        </Link>
      ) : (
        <Link to="/vehicles/new" className="mt-2 inline-flex min-h-11 items-center font-semibold">
          Add the first vehicle
        </Link>
      )}
    </div>
  );
}

const wordsOf = (verdicts: readonly Verdict[]) =>
  VERDICTS.filter(({ verdict }) => verdicts.includes(verdict))
    .map(({ word }) => word.toLowerCase())
    .join(' or ');
