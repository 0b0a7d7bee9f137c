import Bell from 'lucide-react/icons/bell';
import Download from 'lucide-react/icons/download';
import HardHat from 'lucide-react/icons/hard-hat';
import ListFilter from 'lucide-react/icons/list-filter';
import SearchX from 'lucide-react/icons/search-x';
import type { ReactNode } from 'react';
import { Form, href, Link } from 'react-router';
import { IfMay, useMay } from '#app/access/use-may.tsx';
import { PolicyLine } from '#app/policy/policy-line.tsx';
import { DateBox } from '#app/ui/date-box.tsx';
import { KeyHint } from '#app/ui/key-hint.tsx';
import { useListLeft } from '#app/ui/list-left.ts';
import { useListLink } from '#app/ui/list-way.tsx';
import { Pager } from '#app/ui/pager.tsx';
import { SearchBox } from '#app/ui/search-box.tsx';
import { useSite } from '#app/ui/site.ts';
import { useMarkedRow } from '#app/ui/use-marked-row.ts';
import { counted } from '#app/ui/counted.ts';
import { DidYouMean } from './did-you-mean.tsx';
import type { KeptList } from './kept-lists.server.ts';
import {
  FILTERS,
  isChosen,
  isNarrowed,
  excelHref,
  listHref,
  listOptions,
  ownHref,
  TEXT_MAX_LENGTH,
  VISIT_FILTERS,
} from './list-query.ts';
import { RowIcon } from '#app/ui/row-icon.tsx';
import { VERDICT_ICONS } from './verdict-badge.tsx';
import { VERDICTS, type Verdict } from './verdict-table.ts';
import type { VehicleListPage } from './vehicle-list-page.server.ts';
import { ListOptions } from './list-options.tsx';
import { VehicleTable } from './vehicle-table.tsx';

type Part = { list: VehicleListPage };

/** The form that the tick boxes of the rows belong to: what is done with many vehicles at once. */
const TICKED = 'ticked';

/** The back office's list: search, filters, table, pages. `labels`: in the form below the table. */
export function VehicleList({ list, kept, labels }: Part & { kept: readonly KeptList[]; labels: ReactNode }) {
  const { query, pages } = list;
  useListLeft();
  const marked = useMarkedRow(list.rows.map(({ rego }) => href('/vehicles/view/:rego', { rego })).map(useListLink()));
  return (
    <div className="card">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 pt-3">
        <TypedFilters list={list} />
        <div className="flex grow items-center justify-between gap-x-4">
          <p role="status" className="text-ink-3">
            {counted(list.total, 'vehicle', 'vehicles')}
          </p>
          <a
            href={listHref({ ...query, page: 1 }, '/vehicles.csv')}
            className="inline-flex min-h-(--size-target) items-center gap-2 font-semibold"
          >
            <Download size={18} aria-hidden="true" />
            Export CSV
          </a>
          <a href={excelHref(query)} className="inline-flex min-h-(--size-target) items-center font-semibold">
            For Excel
          </a>
        </div>
      </div>
      <VerdictFilter list={list} />
      <ChosenFilters list={list} />
      <KeptLists list={list} kept={kept} />
      {list.rows.length === 0 ? (
        <NoVehicle list={list} />
      ) : (
        <VehicleTable list={list} tickForm={TICKED} marked={marked} />
      )}
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t border-line px-4 py-2">
        <form id={TICKED} action="/vehicles.csv" className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <ListOptions options={listOptions(query)} />
          {list.rows.length === 0 ? null : (
            <>
              <button type="submit" className="button-look button-secondary">
                <Download size={18} aria-hidden="true" />
                Export ticked
              </button>
              <button type="submit" name="for" value="excel" className="button-look button-secondary">
                Ticked, for Excel
              </button>
              <button
                type="submit"
                formAction="/check/follow"
                formMethod="post"
                formTarget="_blank"
                className="button-look button-secondary"
              >
                <Bell size={18} aria-hidden="true" />
                Follow ticked
              </button>
            </>
          )}
          {list.rows.length === 0 ? null : labels}
        </form>
        <span className="flex flex-wrap items-center gap-x-4">
          <KeyHint keys={['J', 'K']} words="move" />
          <KeyHint keys={['Enter']} words="open" />
          <span className="text-sm text-ink-3">
            <PolicyLine version={list.policyVersion} />
          </span>
        </span>
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
  const { signedIn } = useSite();
  const may = useMay();
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
          return (
            <li key={verdict}>
              <Filter
                href={hrefOf([verdict])}
                current={query.verdicts.includes(verdict)}
                count={counts?.[verdict] ?? 0}
              >
                <RowIcon name={VERDICT_ICONS[verdict]} className={`row-icon filter-${verdict}`} />
                {word}
              </Filter>
            </li>
          );
        })}
        {!may('read people') || query.by !== '' ? (
          <li>
            <Link
              to={
                query.by === ''
                  ? ownHref(signedIn?.personId ?? '', query.verdicts)
                  : listHref({ ...query, by: '', page: 1 })
              }
              preventScrollReset
              aria-current={query.by === '' ? undefined : 'true'}
              className="filter-link"
            >
              <HardHat size={16} aria-hidden="true" />
              {query.by === '' || query.by === signedIn?.personId ? 'Mine' : 'Of one technician'}
            </Link>
          </li>
        ) : null}
      </ul>
    </nav>
  );
}

// Folded away until one is set: most searches are by rego or verdict.
function ChosenFilters({ list: { query } }: Part) {
  const chosen = { ...query, dueFrom: '', dueTo: '', visits: '' as const };
  const none = { ...chosen, by: '' };
  return (
    <details className="border-t border-line px-4" open={isChosen(query)}>
      <summary className="inline-flex min-h-(--size-target) cursor-pointer items-center gap-2 font-semibold">
        <ListFilter size={18} aria-hidden="true" />
        More filters
      </summary>
      <Form action="/vehicles" className="flex flex-wrap items-end gap-x-4 gap-y-3 pb-4" key={listHref(query)}>
        <ListOptions options={listOptions(chosen)} />
        <ChosenDay name="due_from" label="Due from" day={query.dueFrom} />
        <ChosenDay name="due_to" label="Due to" day={query.dueTo} />
        <label className="grid gap-1.5 text-sm font-semibold">
          Visits
          <select name="visits" defaultValue={query.visits} className="field-box font-normal">
            <option value="">All</option>
            {VISIT_FILTERS.map(({ visits, words }) => (
              <option key={visits} value={visits}>
                {words}
              </option>
            ))}
          </select>
        </label>
        <button type="submit" className="button-look button-secondary">
          Filter
        </button>
        {isChosen(query) ? (
          <Link to={listHref({ ...none, page: 1 })} className="inline-flex min-h-11 items-center">
            Clear
          </Link>
        ) : null}
      </Form>
    </details>
  );
}

function ChosenDay({ name, label, day }: { name: string; label: string; day: string }) {
  return (
    <label className="grid gap-1.5 text-sm font-semibold">
      {label}
      <DateBox name={name} defaultValue={day} />
    </label>
  );
}

function KeptLists({ list: { query }, kept }: Part & { kept: readonly KeptList[] }) {
  const here = listHref({ ...query, page: 1 });
  if (kept.length === 0 && !isNarrowed(query)) return null;
  return (
    <nav aria-label="Kept lists" className="flex flex-wrap items-center gap-2 border-t border-line px-4 py-2">
      {kept.map(({ id, name, href: address }) => (
        <Link key={id} to={address} aria-current={address === here ? 'true' : undefined} className="filter-link">
          {name}
        </Link>
      ))}
      <IfMay to="keep lists">
        <Link
          to={`/vehicles/kept${isNarrowed(query) ? `?of=${encodeURIComponent(here.split('?')[1] ?? '')}` : ''}`}
          className="inline-flex min-h-(--size-target) items-center gap-2 text-sm"
        >
          {isNarrowed(query) ? 'Keep this list' : 'Look after kept lists'}
        </Link>
      </IfMay>
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

function NoVehicle({ list }: Part) {
  const may = useMay();
  const { query } = list;
  return (
    <div className="border-t border-line px-5 py-12 text-center">
      <SearchX size={36} className="mx-auto text-ink-3" aria-hidden="true" />
      <p className="pt-3 text-lg font-bold wrap-anywhere">{whenEmpty(list)}</p>
      <DidYouMean near={list.near} ask={list.ask} />
      {isNarrowed(query) || may('change vehicles') ? (
        <Link
          to={isNarrowed(query) ? '/vehicles' : '/vehicles/new'}
          className="mt-2 inline-flex min-h-11 items-center font-semibold"
        >
          {isNarrowed(query) ? 'Show all vehicles' : 'Add the first vehicle'}
        </Link>
      ) : null}
    </div>
  );
}

function whenEmpty({ query, unsearchable, all }: Part['list']): string {
  const asked = FILTERS.map(({ name }) => query[name]).filter((text) => text !== '');
  const matching = asked.map((text) => `“${text}”`).join(' and ');
  if (unsearchable) return 'Enter letters or digits to search';
  if (asked.length > 0 && all === 0) return `No vehicle matches ${matching}`;
  if (isChosen(query)) return 'No vehicle matches these filters';
  if (query.verdicts.length === 0) return 'No vehicles in this registry yet';
  return `No vehicle${asked.length === 0 ? '' : ` that matches ${matching}`} is ${wordsOf(query.verdicts)}`;
}

const wordsOf = (verdicts: readonly Verdict[]) =>
  VERDICTS.filter(({ verdict }) => verdicts.includes(verdict))
    .map(({ word }) => word.toLowerCase())
    .join(' or ');
