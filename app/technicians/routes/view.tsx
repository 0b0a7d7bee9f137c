// /technicians/view/{id}: a technician's details and calibrations, also after their removal.
import Trash2 from 'lucide-react/icons/trash';
import { Link, redirect } from 'react-router';
import { IfMay, useMay } from '#app/access/use-may.tsx';
import { parseEmailKey } from '#app/people/email.ts';
import { emailKey, emailSegment } from '#app/people/email-key.ts';
import { suspensionsWords } from '#app/people/good-standing.ts';
import { missingPerson } from '#app/people/missing-person.ts';
import { logSize } from '#app/activity-log/queries.server.ts';
import { FlaggedAbn } from '#app/applications/flagged-abn.tsx';
import { recordedBy } from '#app/readings/recorded-by.server.ts';
import { RecordedList } from '#app/readings/recorded-list.tsx';
import { formatDay, formatStated } from '#app/platform/time/calendar.ts';
import { Subscription } from '#app/activity-log/subscription.tsx';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { checkRecords } from '#app/transparency-log/check-records.server.ts';
import { recordName } from '#app/transparency-log/record-snapshot.server.ts';
import { ButtonLink } from '#app/ui/button-link.tsx';
import { Card } from '#app/ui/card.tsx';
import { FactList } from '#app/ui/fact-list.tsx';
import { listAddress, parseListAddress } from '#app/ui/list-address.ts';
import { NoteAbove } from '#app/ui/note.tsx';
import { PageHead } from '#app/ui/page-head.tsx';
import { Pager } from '#app/ui/pager.tsx';
import { findTechnician, listSuspensions } from '../queries.server.ts';
import { isSelf, todayOf } from '../good-standing-action.server.ts';
import { SuspensionList } from '../suspension-list.tsx';
import type { Route } from './+types/view';

const READINGS_PER_PAGE = 10;

export function meta({ matches, loaderData }: Route.MetaArgs): Route.MetaDescriptors {
  const title = loaderData === undefined ? 'No such technician' : `Technician ${loaderData.technician.email}`;
  return [{ title: `${title} · ${matches[0].loaderData?.registryName ?? ''}` }];
}

export async function loader({ params, context, url }: Route.LoaderArgs) {
  const services = context.get(servicesContext);
  const { timeZone } = services.config;
  const email = parseEmailKey(params.id);
  if (email === undefined) throw missingPerson('technician', params.id);
  if (params.id !== emailKey(email)) throw redirect(`/technicians/view/${emailSegment(email)}${url.search}`, 301);
  const since = await logSize(services.db);
  const found = await findTechnician(services.db, email);
  if (found === undefined) throw missingPerson('technician', email);
  const { page } = parseListAddress(url.searchParams);
  const recorded = await recordedBy(services, found.personId, { page, perPage: READINGS_PER_PAGE });
  const { companyName, abn, tradeLicenceNum, address, repName, repContact, deletedAt, deletedBy, addedBy } = found;
  const ref = { table: 'technician', key: found.id } as const;
  const suspensions = await listSuspensions(services.db, found.id);
  const today = todayOf(context);
  const check = (await checkRecords(services.db, [ref])).get(recordName(ref));
  const whenOf = (at: Date | null) => (at === null ? null : formatStated(at, timeZone));
  return {
    since,
    recorded,
    technician: { email, companyName, abn, tradeLicenceNum, address, repName, repContact, addedBy },
    erasedAt: check?.state === 'erased' ? whenOf(check.at) : null,
    imported: found.origin === 'imported',
    isSelf: isSelf(context, found),
    isSuspended: found.suspendedFrom !== null,
    suspensionWords: suspensionsWords(suspensions, today, 'Their'),
    suspensions: suspensions.map((one) => ({ ...one, at: whenOf(one.at) ?? '', endedAt: whenOf(one.endedAt) })),
    licenceEnds: found.licenceEndsOn === null ? 'N/A' : licenceWords(found.licenceEndsOn, today),
    requestedAt: whenOf(found.requestedAt),
    addedAt: whenOf(found.addedAt),
    removed: deletedAt === null ? null : { on: formatStated(deletedAt, timeZone), by: deletedBy ?? 'Anonymous' },
  };
}

const licenceWords = (endsOn: string, today: string) => `${formatDay(endsOn)}${endsOn < today ? ' (ended)' : ''}`;

export default function TechnicianView({ loaderData }: Route.ComponentProps) {
  const { since, technician, erasedAt, imported, requestedAt, addedAt, removed, recorded } = loaderData;
  const { isSelf, isSuspended, suspensionWords, suspensions, licenceEnds } = loaderData;
  const { email, companyName, repName, abn } = technician;
  const may = useMay();
  const mayDecide = removed === null && !isSelf && may('change people');
  return (
    <main id="main">
      {/* A calibration is published under the topic of vehicles. */}
      <Subscription topics={['technicians', 'vehicles']} since={since} />
      <PageHead title={repName || companyName || email} back="/technicians">
        {!mayDecide ? null : (
          <ButtonLink to={`/technicians/${isSuspended ? 'reinstate' : 'suspend'}/${emailSegment(email)}`}>
            {isSuspended ? 'Lift the suspension' : 'Suspend'}
          </ButtonLink>
        )}
        {removed !== null || !may('change people') ? null : (
          <ButtonLink to={`/technicians/delete/${emailSegment(email)}`} icon={Trash2}>
            Delete
          </ButtonLink>
        )}
      </PageHead>
      {removed === null ? null : (
        <NoteAbove kind="info">
          {`Removed by ${removed.by} on ${removed.on}. Their calibrations stay. `}
          {erasedAt === null ? (
            <IfMay to="change people">
              <Link to={`/technicians/erase/${emailSegment(email)}`}>Erase their personal data</Link>
            </IfMay>
          ) : (
            `Their personal data was erased on ${erasedAt}. The record itself was not altered.`
          )}
        </NoteAbove>
      )}
      {removed !== null || suspensionWords === null ? null : <NoteAbove kind="info">{suspensionWords}</NoteAbove>}
      <div className="grid grid-cols-1 items-start gap-5 xl:grid-cols-2">
        <Card title="Technician" id="technician">
          <FactList
            facts={[
              { label: 'Company name', value: companyName },
              { label: 'Email', value: email },
              { label: 'ABN', value: <FlaggedAbn abn={abn} /> },
              { label: 'Trade licence number', value: technician.tradeLicenceNum },
              {
                label: 'Trade licence valid until',
                value: (
                  <span className="inline-flex flex-wrap gap-x-3">
                    {licenceEnds}
                    {mayDecide ? (
                      <Link to={`/technicians/licence/${emailSegment(email)}`} aria-label="Change how long it is valid">
                        Change
                      </Link>
                    ) : null}
                  </span>
                ),
              },
              { label: 'Address', value: technician.address },
              { label: 'Representative name', value: repName },
              { label: 'Representative contact', value: technician.repContact },
              { label: 'Requested at', value: requestedAt },
              { label: 'Added at', value: addedAt !== null && imported ? `${addedAt} (imported)` : addedAt },
              { label: 'Added by', value: technician.addedBy },
            ]}
          />
        </Card>
        {suspensions.length === 0 ? null : (
          <Card title="Suspensions" id="suspensions">
            <SuspensionList suspensions={suspensions} />
          </Card>
        )}
        <Card
          title="Calibrations they recorded"
          id="recorded"
          aside={<span className="text-sm text-ink-3">{recorded.total.toLocaleString('en-AU')}</span>}
        >
          <RecordedList readings={recorded.items} empty="No calibrations recorded yet." />
          {recorded.pages === 1 ? null : (
            <Pager
              page={recorded.page}
              pages={recorded.pages}
              label="Pages of calibrations"
              hrefOf={(page) => listAddress(`/technicians/view/${emailSegment(email)}`, { text: '', page })}
            />
          )}
        </Card>
      </div>
    </main>
  );
}

export { MissingPersonPage as ErrorBoundary } from '#app/people/missing-person-page.tsx';
