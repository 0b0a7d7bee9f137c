// A report on paper: the content of a page at one moment, with what ISO/IEC 17025, 7.8 lists for a
// report of calibration, as far as it is recorded. It recommends no interval.
import type { HistoryVisit } from '#app/visits/history.ts';
import type { PageEvidence } from '#app/vehicle-page/vehicle-history.server.ts';
import type { ShownLines } from '#app/readings/present-lines.ts';
import type { Verdict } from '#app/vehicles/verdict-table.ts';

export type Report = {
  /** Printed on every page: the record, the moment, and the beginning of the hash of the whole content. */
  id: string;
  registryName: string;
  title: string;
  rego: string;
  asAt: string;
  policyVersion: number;
  /** `look`: null if the record differs from the public log. Then nobody can rely on the report. */
  verdict: { word: string; sentence: string; look: Verdict | 'past' | null };
  /** The address of the live page. */
  address: string;
  /** The item: the vehicle and its scale. */
  item: readonly { label: string; value: string | null }[];
  /** In a report of one calibration: how and by whom it was made. */
  calibration: readonly { label: string; value: string | null }[];
  /** What the verdict rests on. */
  evidence: Pick<PageEvidence, 'line' | 'notes' | 'ruling' | 'waiting' | 'errors'>;
  /** In a report of one calibration: its errors at the check loads; null: none was weighed. */
  errors: { rows: readonly (readonly string[])[]; foot: string } | null;
  /** In a report of one calibration: what the standard lists and is not recorded; else ''. */
  missing: string;
  lines: ShownLines | null;
  visits: readonly HistoryVisit[];
  /** There are older visits, which only the report of the whole history has. */
  hasOlder: boolean;
  log: { sentence: string; proof: string } | null;
  /** The proof file of the vehicle, where a code can hold it. */
  code: string | null;
};

export const METHOD =
  'Two-point calibration of each axle group: the sensor’s output empty and loaded, against masses weighed on a weighbridge. A line through two points cannot show its own error; a check load or as-found readings can.';
