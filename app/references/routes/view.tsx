// /references/{id}: one weighbridge in public, and for admins what to change of it.
import Check from 'lucide-react/icons/check';
import ChevronLeft from 'lucide-react/icons/chevron-left';
import CircleAlert from 'lucide-react/icons/circle-exclamation-point';
import CircleSlash from 'lucide-react/icons/circle-slash';
import Minus from 'lucide-react/icons/minus';
import Pencil from 'lucide-react/icons/pencil';
import Plus from 'lucide-react/icons/plus';
import Wrench from 'lucide-react/icons/wrench';
import { data, href, Link } from 'react-router';
import { IfMay } from '#app/access/use-may.tsx';
import { may } from '#app/access/permissions.ts';
import { signedInContext } from '#app/access/session.server.ts';
import { logSize } from '#app/activity-log/queries.server.ts';
import { Subscription } from '#app/activity-log/subscription.tsx';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { restsOn } from '#app/withdrawals/rests-on.server.ts';
import { PublicFrame } from '#app/shell/public-frame.tsx';
import { ButtonLink } from '#app/ui/button-link.tsx';
import { Card } from '#app/ui/card.tsx';
import { FactList } from '#app/ui/fact-list.tsx';
import { useSite } from '#app/ui/site.ts';
import { referencePage, type ReferencePage } from '../reference-page.server.ts';
import { RepairCard } from '../repair-card.tsx';
import { RestsOnCard } from '../rests-on-card.tsx';
import { VerificationCard } from '../verification-card.tsx';
import { WithdrawalNotes } from '../withdrawal-notes.tsx';
import { openReports } from '#app/wrong-records/open-reports.server.ts';
import { ReportLink } from '#app/wrong-records/report-link.tsx';
import type { Route } from './+types/view';

export function meta({ loaderData, matches }: Route.MetaArgs): Route.MetaDescriptors {
  if (loaderData === undefined) return [];
  const { name, answer } = loaderData.page;
  return [
    { title: `${name} · ${matches[0].loaderData?.registryName ?? ''}` },
    { name: 'description', content: `${name}, a weighbridge. ${answer.answer}; ${answer.more}.` },
  ];
}

export async function loader({ params, context }: Route.LoaderArgs) {
  const services = context.get(servicesContext);
  const since = await logSize(services.db);
  const isOffice = may(context.get(signedInContext)?.role ?? 'public', 'read weighbridge withdrawals');
  const page = await referencePage(services, params.id, isOffice ? 'office' : 'anyone');
  if (page === undefined) throw data(null, { status: 404, statusText: 'Not Found' });
  const report = await openReports(services.db, ['reference_id', page.id]);
  return { since, page, report, restsOn: await restsOn(services.db, page.id) };
}

export default function ReferenceView({ loaderData }: Route.ComponentProps) {
  const { since, page } = loaderData;
  const framed = useSite().signedIn !== null;
  return (
    <PublicFrame>
      <main id="main" className={framed ? '' : 'page pt-6'}>
        <Subscription topics={['references', 'vehicles']} since={since} />
        <Link to={href('/references')} className="inline-flex min-h-11 items-center gap-1.5 text-sm">
          <ChevronLeft size={18} aria-hidden="true" />
          Weighbridges
        </Link>
        <div className="flex flex-wrap items-center justify-between gap-3 pb-5">
          <div className="min-w-0">
            <h1 className="text-2xl wrap-anywhere">{page.name}</h1>
            <Answer page={page} />
          </div>
          <Actions id={page.id} />
        </div>
        <WithdrawalNotes withdrawals={page.withdrawals} />
        <ReportLink about={{ weighbridge: page.id }} open={loaderData.report} />
        <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_21.25rem]">
          <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-5">
            <VerificationCard verifications={page.verifications} id={page.id} />
            <RestsOnCard restsOn={loaderData.restsOn} />
            <RepairCard repairs={page.repairs} />
          </div>
          <Facts page={page} />
        </div>
      </main>
    </PublicFrame>
  );
}

function Answer({ page: { answer, coverage, mismatches } }: { page: ReferencePage }) {
  if (mismatches.length > 0)
    return (
      <div role="alert" className="pt-1 text-overdue-text">
        <p className="flex items-center gap-2 font-bold">
          <CircleAlert size={20} aria-hidden="true" className="shrink-0" />
          Do not rely on this record. It is not what was entered in the public log.
        </p>
        <ul className="list-disc py-2 pl-10 text-sm wrap-anywhere">
          {mismatches.map((mismatch) => (
            <li key={mismatch}>{mismatch}</li>
          ))}
        </ul>
      </div>
    );
  const Icon = coverage.state === 'not-covered' ? Minus : Check;
  return (
    <p className="flex flex-wrap items-center gap-x-3 pt-1 text-ink-2">
      <span className="inline-flex items-center gap-1.5 font-semibold">
        <Icon size={20} aria-hidden="true" />
        {answer.answer}
      </span>
      {answer.more}
    </p>
  );
}

function Actions({ id }: { id: string }) {
  return (
    <div className="flex flex-wrap gap-3 empty:hidden">
      <IfMay to="change weighbridges">
        <ButtonLink to={href('/references/:id/update', { id })} icon={Pencil}>
          Update
        </ButtonLink>
        <ButtonLink to={href('/references/:id/repair', { id })} icon={Wrench}>
          Note a repair
        </ButtonLink>
      </IfMay>
      <IfMay to="withdraw weighbridges">
        <ButtonLink to={href('/references/:id/recall', { id })} icon={CircleSlash}>
          Withdraw
        </ButtonLink>
      </IfMay>
      <IfMay to="change weighbridges">
        <ButtonLink to={href('/references/:id/verify', { id })} icon={Plus} look="primary">
          Add verification
        </ButtonLink>
      </IfMay>
    </div>
  );
}

function Facts({ page: { facts, since, entry, asAt } }: { page: ReferencePage }) {
  return (
    <Card title="Weighbridge" id="weighbridge">
      <FactList
        facts={[
          { label: 'Operator', value: facts.operator },
          {
            label: 'Place',
            value:
              facts.coordinates === '' ? (
                facts.place
              ) : (
                <>
                  {facts.place}
                  <span className="block font-mono text-sm font-normal">{facts.coordinates}</span>
                </>
              ),
          },
          { label: 'Capacity', value: facts.capacity },
          { label: 'Interval e', value: facts.interval },
          { label: 'Public licence', value: facts.licence },
          { label: 'In the register', value: `Since ${since}` },
          {
            label: 'Public log',
            value:
              entry === null ? (
                'Not yet in the public log'
              ) : (
                <Link to={href('/log/entries/:index', { index: String(entry) })} className="link-in-text">
                  {`Entry ${entry.toLocaleString('en-AU')}`}
                </Link>
              ),
          },
        ]}
      />
      <p className="border-t border-line px-5 py-3 text-sm text-ink-2">{`As recorded in this registry, as at ${asAt}.`}</p>
    </Card>
  );
}
