import Check from 'lucide-react/icons/check';
import { href, Link } from 'react-router';
import { IfMay, useMay } from '#app/access/use-may.tsx';
import { Card } from '#app/ui/card.tsx';
import { ListTable } from '#app/ui/list-table.tsx';
import type { PeriodBar } from './periods.ts';

/** One verification period, its days in words, short ones for narrow screens. `file`: its certificate. */
export type ShownPeriod = {
  id: string;
  certificate: string;
  from: { long: string; short: string };
  to: { long: string; short: string };
  state: 'current' | 'future' | 'past' | 'withdrawn';
  /** Of a withdrawn one: when, and for admins who withdrew it and why. */
  withdrawn: string;
  file: { href: string; about: string } | null;
};

export type ShownVerifications = {
  periods: readonly ShownPeriod[];
  bar: PeriodBar | null;
  gaps: readonly string[];
};

const STATES = { current: 'Current', future: 'Begins later', past: 'Past', withdrawn: 'Withdrawn' } as const;

const COLUMNS = [
  ['Certificate'],
  ['From'],
  ['To'],
  ['File', 'max-row:hidden'],
  ['State', 'max-row:hidden', 'spoken'],
] as const;

/** `id`: of the weighbridge. */
export function VerificationCard({
  verifications: { periods, bar, gaps },
  id: weighbridge,
}: {
  verifications: ShownVerifications;
  id: string;
}) {
  const may = useMay();
  return (
    <Card title="Verification periods" id="periods">
      {bar === null ? null : <Bar bar={bar} />}
      {periods.length === 0 ? (
        <p className="px-5 py-4 text-ink-2">No verification has been recorded.</p>
      ) : (
        <ListTable
          caption="Verification periods, the one that ends last first"
          look="text-sm max-xl:text-xs"
          columns={may('change weighbridges') ? [...COLUMNS, ['Actions', undefined, 'spoken']] : COLUMNS}
        >
          {periods.map((period) => (
            <Row key={period.id} period={period} weighbridge={weighbridge} />
          ))}
        </ListTable>
      )}
      {gaps.length === 0 ? null : (
        <div className="border-t border-line px-5 py-3 text-sm text-ink-2">
          {gaps.map((gap) => (
            <p key={gap}>{gap}</p>
          ))}
        </div>
      )}
    </Card>
  );
}

function Row({ period, weighbridge }: { period: ShownPeriod; weighbridge: string }) {
  const { id, certificate, from, to, state, withdrawn, file } = period;
  const struck = state === 'withdrawn' ? 'line-through' : '';
  return (
    <tr className="border-b border-line last:border-b-0">
      <th scope="row" className="py-2 font-normal">
        <span className={`font-mono wrap-anywhere ${struck} ${file === null ? '' : 'max-row:hidden'}`}>
          {certificate}
        </span>
        {file === null ? null : (
          <a
            href={file.href}
            className="hidden min-h-11 items-center font-mono wrap-anywhere max-row:inline-flex"
            target="_blank"
            rel="noreferrer"
          >
            {certificate}
          </a>
        )}
        <span className="hidden text-sm max-row:block">
          <VerificationState state={state} />
        </span>
        {withdrawn === '' ? null : <span className="block text-sm wrap-anywhere text-ink-2">{withdrawn}</span>}
      </th>
      <td className={`py-2 ${struck}`}>
        <Day day={from} />
      </td>
      <td className={`py-2 ${struck}`}>
        <Day day={to} />
      </td>
      <td className="max-row:hidden">
        {file === null ? (
          'N/A'
        ) : (
          <a
            href={file.href}
            className="inline-flex min-h-11 items-center"
            target="_blank"
            rel="noreferrer"
            aria-label={`Certificate ${certificate}: ${file.about}`}
          >
            {file.about}
          </a>
        )}
      </td>
      <td className="text-right max-row:hidden">
        <VerificationState state={state} />
      </td>
      <IfMay to="change weighbridges">
        <td className="text-right">
          {state === 'withdrawn' ? null : (
            <Link
              to={href('/references/:id/withdraw/:verification', { id: weighbridge, verification: id })}
              className="inline-flex min-h-11 items-center"
              aria-label={`Withdraw ${certificate}`}
            >
              Withdraw
            </Link>
          )}
        </td>
      </IfMay>
    </tr>
  );
}

function VerificationState({ state }: Pick<ShownPeriod, 'state'>) {
  return state === 'current' ? (
    <span className="inline-flex items-center gap-1.5 align-middle font-semibold">
      <Check size={18} aria-hidden="true" className="max-row:hidden" />
      {STATES.current}
    </span>
  ) : (
    <span className="text-ink-2">{STATES[state]}</span>
  );
}

function Day({ day: { long, short } }: { day: ShownPeriod['from'] }) {
  return (
    <>
      <span className="max-xl:hidden">{long}</span>
      <span className="hidden max-xl:inline">{short}</span>
    </>
  );
}

const HEIGHT = 30;

// Says nothing that the table does not.
function Bar({ bar: { from, to, parts } }: { bar: PeriodBar }) {
  return (
    <div className="px-5 pt-4 pb-2" aria-hidden="true">
      <svg viewBox={`0 0 1000 ${HEIGHT}`} preserveAspectRatio="none" className="h-5.5 w-full">
        <rect width="1000" height={HEIGHT} className="fill-hover" />
        {parts.map(({ at, length, isCurrent }) => (
          <rect
            key={`${at} ${length}`}
            x={at}
            width={length}
            height={HEIGHT}
            className={isCurrent ? 'fill-accent' : 'fill-line-strong'}
          />
        ))}
      </svg>
      <div className="flex justify-between pt-1 text-sm text-ink-2">
        <span>{from}</span>
        <span>{to}</span>
      </div>
    </div>
  );
}
