// Everything the back office's list of vehicles shows, judged today and in words.
import { labelOrigin } from '#app/labels/label-origin.ts';
import { formatDay, todayIn } from '#app/platform/calendar.ts';
import type { Services } from '#app/platform/services.server.ts';
import { policyAndLogSize } from '#app/registry-settings/queries.server.ts';
import { listVehicles } from './list-vehicles.server.ts';
import { listedRow } from './listed-vehicle.ts';
import { parseListQuery } from './list-query.ts';
import { normaliseSearch } from './vehicle.ts';
import { sumOf } from './verdict-sql.server.ts';

export type VehicleListPage = Awaited<ReturnType<typeof vehicleListPage>>;

/** Answers the parameters of `url`. `since` is the activity log's size before the reads: where live updates begin. */
export async function vehicleListPage({ db, config, now }: Services, url: URL) {
  const query = parseListQuery(url.searchParams);
  const { since, policy } = await policyAndLogSize(db);
  const today = todayIn(config.timeZone, now());
  const hasLabels = labelOrigin(config) !== undefined;
  // Text without a letter or digit finds nothing, rather than everything.
  if (query.text !== '' && normaliseSearch(query.text) === '')
    return {
      since,
      policyVersion: policy.version,
      hasLabels,
      query: { ...query, page: 1 },
      unsearchable: true,
      pages: 1,
      total: 0,
      counts: null,
      all: 0,
      rows: [],
    };
  const { items, page, pages, total, counts, mismatched } = await listVehicles(db, query, today, policy);
  return {
    since,
    policyVersion: policy.version,
    hasLabels,
    query: { ...query, page },
    unsearchable: false,
    pages,
    total,
    counts,
    all: sumOf(counts),
    rows: items.map((vehicle) => ({
      ...listedRow(vehicle, today, policy, mismatched),
      due: vehicle.nextCalibrationDueOn === null ? null : formatDay(vehicle.nextCalibrationDueOn, 'short'),
    })),
  };
}
