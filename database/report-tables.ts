// The tables of reports that a record is wrong, as Kysely sees them.
import type { Generated } from 'kysely';
import type { Day, Optional, Text } from './column-types.ts';

export type ReportKind = 'not-mine' | 'figures' | 'date' | 'plate' | 'never' | 'photo' | 'other';
export type ReportDecision = 'right' | 'corrected' | 'set-aside' | 'withdrawn' | 'plate' | 'photo';
type Standing = 'received' | 'confirmed' | 'opened' | 'asked' | 'answered' | 'decided' | 'second-look';
export type ReportStep = Standing | 'added' | 'taken-back' | 'spam';
export type ReportState = Standing | 'closed';
export type ReportAudience = 'reporter' | 'technician' | 'office';

interface WrongReportTable {
  id: Generated<string>;
  year: number;
  number: Generated<number>;
  kind: ReportKind;
  vehicleId: Optional<string>;
  visitId: Optional<string>;
  referenceId: Optional<string>;
  receivedAt: Date;
  /** The size of the activity log when it came. */
  since: number;
  openedOn: Day;
  decision: Optional<ReportDecision | 'taken-back'>;
  decidedOn: Day;
  /** The last entry of the public log about it. */
  leafIndex: Optional<number>;
  email: Optional<string>;
  /** The technician who is asked. */
  personId: Optional<string>;
  state: Generated<ReportState>;
  dueOn: string;
  toldDays: Generated<number>;
}
interface WrongReportStepTable {
  id: Generated<number>;
  reportId: string;
  step: ReportStep;
  by: ReportAudience;
  actorId: Optional<number>;
  words: Text;
  actIndex: Optional<number>;
  isAlone: Generated<boolean>;
  formKey: Optional<string>;
  onDay: string;
  at: Date;
}
interface WrongReportFileTable {
  id: Generated<string>;
  stepId: number;
  fileId: string;
  name: string;
}
interface WrongReportLinkTable {
  tokenHash: string;
  reportId: Optional<string>;
  email: Optional<string>;
  byMail: boolean;
  madeAt: Date;
}
export interface ReportTables {
  wrongReport: WrongReportTable;
  wrongReportStep: WrongReportStepTable;
  wrongReportFile: WrongReportFileTable;
  wrongReportLink: WrongReportLinkTable;
}
