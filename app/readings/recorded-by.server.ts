// The readings that a person recorded, newest first, formatted for a list.
import { sql } from 'kysely';
import { formatStated } from '#app/platform/time/calendar.ts';
import { listPage, type ListPage } from '#app/platform/database/list-page.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { axleLabel } from '#app/vehicles/axle.ts';
import { attributeWords, valueWords } from './reading-words.ts';
import { isRecordedBy, listRecordedBy } from './queries.server.ts';
import type { RecordedReading } from './recorded-list.tsx';

/** One page of the readings that a person recorded under any of their names. `text`: only of regos that contain it. */
export function recordedBy(
  { db, config }: Pick<Services, 'db'> & { config: Pick<Services['config'], 'timeZone'> },
  personId: string,
  { page, perPage, text = '' }: { page: number; perPage: number; text?: string },
): Promise<ListPage<RecordedReading>> {
  const recorded = isRecordedBy(personId, text);
  const count = async () => {
    const { rows } = await sql<{ n: number }>`select count(*) as n from calibration where ${recorded}`.execute(db);
    return rows[0]?.n ?? 0;
  };
  return listPage({ page, perPage }, count, async (limit, offset) =>
    (await listRecordedBy(db, recorded, { limit, offset })).map(
      ({ rego, id, axle, attribute, value, unit, calibratedAt, supersededBy }) => ({
        rego,
        id,
        reading: `${axleLabel(axle)} · ${attributeWords(attribute, unit)}`,
        value: valueWords({ attribute, value, unit }),
        at: formatStated(calibratedAt, config.timeZone),
        superseded: supersededBy !== null,
      }),
    ),
  );
}
