// Every form of a page: the table that HTTP and the browser are asked by.
import { ACCOUNT_ROWS } from './account-rows.ts';
import { CHECK_VISIT_ROWS, WITHDRAWAL_ROWS } from './withdrawal-rows.ts';
import { PATTERN_ROWS } from './pattern-rows.ts';
import { PEOPLE_ROWS } from './people-rows.ts';
import { RECORD_ROWS } from './record-rows.ts';
import { JOIN_ROWS } from './join-rows.ts';
import { PLATE_ROWS } from './plate-rows.ts';
import { REPORT_ROWS } from './report-rows.ts';
import { REFERENCE_ROWS } from './reference-rows.ts';
import type { Row } from './row.ts';

export const ROWS: readonly Row[] = [
  ...ACCOUNT_ROWS,
  ...RECORD_ROWS,
  ...PLATE_ROWS,
  ...JOIN_ROWS,
  ...REFERENCE_ROWS,
  ...WITHDRAWAL_ROWS,
  ...CHECK_VISIT_ROWS,
  ...PATTERN_ROWS,
  ...REPORT_ROWS,
  ...PEOPLE_ROWS,
];
