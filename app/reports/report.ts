// A report on paper: what a page of the registry says at one moment, with what a calibration certificate carries
// (ISO/IEC 17025, 7.8). It carries no recommendation of an interval.
import type { HistoryVisit } from '#app/calibrations/history.ts';
import type { ShownLines } from '#app/calibrations/present-lines.ts';
import type { Verdict } from '#app/vehicles/verdict.ts';

export type Report = {
  /** On every page: of what, as at when, and a part of the hash of all that it says. */
  id: string;
  registryName: string;
  title: string;
  rego: string;
  asAt: string;
  policyVersion: number;
  /** `look`: null where the record is not what was logged; then nothing here can be relied on. */
  verdict: { word: string; sentence: string; look: Verdict | null };
  /** The live page. */
  address: string;
  /** The item: the vehicle and its scale. */
  item: readonly { label: string; value: string | null }[];
  /** How and by whom it was calibrated, where the report is of one calibration. */
  calibration: readonly { label: string; value: string | null }[];
  lines: ShownLines | null;
  visits: readonly HistoryVisit[];
  /** How many older visits are on the live page only. */
  older: number;
  log: { sentence: string; proof: string } | null;
};

export const METHOD =
  'Two-point calibration of each axle group: the sensor’s volts empty and loaded, against masses weighed on a weighbridge. A line through two points cannot show its own error; a check load or as-found readings can.';

/** A report has at most so many visits: what is older is read on the page. */
export const VISITS_MAX = 60;
