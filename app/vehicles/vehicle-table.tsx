import ArrowDown from 'lucide-react/icons/arrow-down';
import ArrowUp from 'lucide-react/icons/arrow-up';
import ChevronsUpDown from 'lucide-react/icons/chevrons-up-down';
import Eye from 'lucide-react/icons/eye';
import Pencil from 'lucide-react/icons/pencil';
import Trash2 from 'lucide-react/icons/trash';
import { href, Link } from 'react-router';
import { IfMay } from '#app/access/use-may.tsx';
import { useListLink } from '#app/ui/list-way.tsx';
import { RowAction } from '#app/ui/row-action.tsx';
import { sortHref, type VehicleListQuery, type VehicleSort } from './list-query.ts';
import { RegoChip } from './plate.tsx';
import { ValidCalibrationBadge } from './verdict-badge.tsx';
import type { VehicleListPage } from './vehicle-list-page.server.ts';

const WIDE = 'max-row:hidden';
const CELL = 'px-3 py-1 first:pl-4 last:pr-3 max-xl:px-1.5';

/**
 * The vehicles of one page. Below 560 px a row shows only its tick box, rego, company, verdict and actions: people use
 * a phone to pick a record. `tickForm`: the id of the form that the tick boxes belong to. `marked`: the row that J and
 * K have moved to.
 */
export function VehicleTable({
  list: { rows, query, at },
  tickForm,
  marked,
}: {
  list: VehicleListPage;
  tickForm: string;
  marked: number | null;
}) {
  return (
    <div className="table-scroll">
      <table className="w-full border-collapse row:max-xl:text-xs">
        <caption className="sr-only">Vehicles</caption>
        <thead className="border-y border-line bg-sunken text-xs text-ink-2">
          <tr>
            <th scope="col" className="w-11">
              <span className="sr-only">Tick</span>
            </th>
            <SortHeading query={query} sort="rego">
              Rego
            </SortHeading>
            <SortHeading query={query} sort="vin" className="max-vin:hidden">
              VIN
            </SortHeading>
            <th scope="col" className={`${CELL} max-2xl:hidden`}>
              Company
            </th>
            <SortHeading query={query} sort="warranty" className={WIDE}>
              Warranty Expiry
            </SortHeading>
            <th scope="col" className={`${CELL} ${WIDE}`}>
              Scale Serial Number
            </th>
            <SortHeading query={query} sort="due" className={WIDE} by="by next calibration due">
              Valid Calibration
            </SortHeading>
            <th scope="col" className={`${CELL} ${WIDE}`}>
              Certificate
            </th>
            <th scope="col" className={`${CELL} text-right`}>
              Action
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, place) => (
            <Row
              key={row.rego}
              row={row}
              isMarked={row.rego === at || place === marked}
              tickForm={tickForm}
              showDue={query.sort === 'due'}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

const ARROWS = { ascending: ArrowUp, descending: ArrowDown };

function SortHeading(props: {
  query: VehicleListQuery;
  sort: VehicleSort;
  className?: string;
  by?: string;
  children: string;
}) {
  const { query, sort, by } = props;
  const current = query.sort === sort;
  const order = query.descending ? 'descending' : 'ascending';
  const Icon = current ? ARROWS[order] : ChevronsUpDown;
  return (
    <th scope="col" className={`${CELL} ${props.className ?? ''}`} aria-sort={current ? order : undefined}>
      <Link
        to={sortHref(query, sort)}
        preventScrollReset
        title={by === undefined ? undefined : `Sort ${by}`}
        className={`quiet-link inline-flex min-h-(--size-target) items-center gap-1 ${current ? 'text-ink' : ''}`}
      >
        {props.children}
        <Icon size={14} aria-hidden="true" className={current ? '' : 'text-ink-3'} />
      </Link>
    </th>
  );
}

type RowData = VehicleListPage['rows'][number];

function Row({
  row,
  isMarked,
  tickForm,
  showDue,
}: {
  row: RowData;
  /** Whether the list was opened at this row, or a key has moved to it. */
  isMarked: boolean;
  tickForm: string;
  showDue: boolean;
}) {
  const { rego } = row;
  const page = useListLink()(href('/vehicles/view/:rego', { rego }));
  const verdict = (
    <>
      <ValidCalibrationBadge verdict={row.verdict} matchesLog={row.matchesLog} />
      {showDue ? <span className="whitespace-nowrap text-ink-2">{row.due ?? 'no due date'}</span> : null}
    </>
  );
  return (
    <tr
      id={rego}
      className={`scroll-mt-24 border-b border-line last:border-b-0 hover:bg-hover ${isMarked ? 'bg-accent-soft' : ''}`}
    >
      <td>
        <label className="grid min-h-(--size-target) w-11 cursor-pointer place-items-center">
          <input
            type="checkbox"
            name="rego"
            value={rego}
            form={tickForm}
            aria-label={`Tick ${rego}`}
            className="size-5 accent-accent"
          />
        </label>
      </td>
      <th scope="row" className={`${CELL} font-normal`}>
        <Link to={page} className="quiet-link inline-flex min-h-(--size-target) items-center">
          <RegoChip rego={rego} />
        </Link>
        <div className="hidden flex-wrap items-center gap-x-2 pb-1.5 max-row:flex">{verdict}</div>
        {row.companyName === '' ? null : (
          <div className="max-w-60 pb-1.5 text-xs wrap-anywhere text-ink-2 2xl:hidden">{row.companyName}</div>
        )}
      </th>
      <td className={`${CELL} font-mono text-xs max-vin:hidden`}>{row.vin === '' ? 'N/A' : row.vin}</td>
      <td className={`${CELL} max-w-52 wrap-break-word max-2xl:hidden`}>{row.companyName || 'N/A'}</td>
      <td className={`${CELL} ${WIDE} whitespace-nowrap`}>{row.warrantyExpiry ?? 'N/A'}</td>
      <td className={`${CELL} ${WIDE}`}>{row.scaleSerialNumber === '' ? 'N/A' : row.scaleSerialNumber}</td>
      <td className={`${CELL} ${WIDE}`}>
        <div className="flex flex-wrap items-center gap-x-2">{verdict}</div>
      </td>
      <td className={`${CELL} ${WIDE}`}>
        {row.certificateHref === null ? (
          <span className="text-ink-3">N/A</span>
        ) : (
          <a
            href={row.certificateHref}
            className="inline-flex min-h-(--size-target) items-center"
            target="_blank"
            rel="noreferrer"
            aria-label={`View certificate of ${rego}`}
          >
            View
          </a>
        )}
      </td>
      <td className={CELL}>
        <div className="flex justify-end">
          <RowAction to={page} icon={Eye} label={`View ${rego}`} />
          <IfMay to="change vehicles">
            <RowAction to={`/vehicles/update/${rego}`} icon={Pencil} label={`Edit ${rego}`} />
          </IfMay>
          <IfMay to="remove vehicles">
            <RowAction to={`/vehicles/delete/${rego}`} icon={Trash2} label={`Delete ${rego}`} />
          </IfMay>
        </div>
      </td>
    </tr>
  );
}
