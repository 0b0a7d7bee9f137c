// The report of what the registry said at the end of a day: the one of then, marked as of the past, with what proves it.
import type { Services } from '#app/platform/services/services.server.ts';
import { pastPage, type PastRecords } from '#app/vehicle-page/past-page.server.ts';
import { identified, makeReport } from './make-report.server.ts';
import type { Report } from './report.ts';

export async function pastReport(services: Services, past: PastRecords, origin: string): Promise<Report> {
  const then = { ...services, now: () => past.moment };
  const { id: _, ...report } = await makeReport(then, past, { origin, about: 'state' });
  const { dayWords, sentence, log, changes } = await pastPage(services, past, origin);
  const { rego, verdict } = report;
  const { day } = past;
  const since = changes.map(({ on, lead, rest }) => `${on}: ${lead}${rest}`).join(' ');
  const of = {
    ...report,
    title: `The past, ${dayWords}: report`,
    asAt: `the end of ${dayWords}. This is not today’s answer`,
    verdict: {
      word: `It said “${verdict.word}”`,
      sentence: verdict.look === null ? verdict.sentence : sentence,
      look: 'past' as const,
    },
    address: `${origin}/vehicles/on/${day}/${rego}`,
    hasOlder: false,
    code: null,
    log: log && {
      sentence: `At the end of that day the public log had ${log.size} entries, with the root ${log.root}, signed: ${log.signed}. ${since === '' ? 'Nothing was changed since.' : `Since then: ${since}`}`,
      proof: `${origin}/api/v1/vehicles/${rego}/on/${day}/proof`,
    },
  };
  return identified(of, [rego, `on-${day}`], services.now());
}
