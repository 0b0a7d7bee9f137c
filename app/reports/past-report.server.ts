// The report of what the registry said at the end of a day: the one of then, marked as of the past, with what proves it.
import type { Services } from '#app/platform/services/services.server.ts';
import { pastPage, type PastRecords } from '#app/vehicle-page/past-page.server.ts';
import { identified, makeReport } from './make-report.server.ts';
import type { Report } from './report.ts';

export async function pastReport(services: Services, past: PastRecords, origin: string): Promise<Report> {
  const then = { ...services, now: () => past.moment };
  const { id: _, ...report } = await makeReport(then, past, { origin, about: 'state' });
  const { dayWords, judgement, sentence, log, changes, mismatches } = await pastPage(services, past, origin);
  const { rego, day } = { rego: report.rego, day: past.day };
  const since = changes.map(({ on, lead, rest }) => `${on}: ${lead}${rest}`).join(' ');
  return identified(
    {
      ...report,
      title: `The past, ${dayWords}: report`,
      asAt: `the end of ${dayWords}. This is not today’s answer`,
      verdict:
        mismatches.length === 0
          ? { word: `It said “${judgement.word}”`, sentence, look: 'past' }
          : { ...report.verdict, look: 'past' },
      address: `${origin}/vehicles/on/${day}/${rego}`,
      hasOlder: false,
      code: null,
      log: log && {
        sentence: `At the end of that day the public log had ${log.size} entries, with the root ${log.root}, ${log.signedAt === null ? 'not signed that day' : `signed ${log.signedAt}`}. ${since === '' ? 'Nothing was changed since.' : `Since then: ${since}`}`,
        proof: `${origin}/api/v1/vehicles/${rego}/on/${day}/proof`,
      },
    },
    [rego, `on-${day}`],
    services.now(),
  );
}
