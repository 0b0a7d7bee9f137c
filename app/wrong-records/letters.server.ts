// The mails to a reporter. Each is composed when it is sent, with a link of its own; it says what happened, and no words
// of anybody. Of an erased report none leaves.
import { publicOrigin } from '#app/access/one-time-link.server.ts';
import { letter, type Letters } from '#app/platform/mail/letter.ts';
import { formatDay } from '#app/platform/time/calendar.ts';
import { findReport, makeLink } from './queries.server.ts';
import { CONFIRM_WITHIN_DAYS, decisionLabel, numberWords } from './report.ts';

const NEWS: Readonly<Record<string, string>> = {
  received: `We received your report. Nobody reads it before you confirm it: open this link within ${CONFIRM_WITHIN_DAYS} days, and press the button.`,
  opened: 'The office has read your report and looks into it.',
  asked: 'Your report is with the technician, who is asked to answer within 14 days.',
  written: 'The office has written to you about your report.',
};

export const REPORT_LETTERS: Letters = {
  'report-news': async ({ config, now }, tx, { facts: { report: id = '', step = '', days } }) => {
    const report = await findReport(tx, id);
    if (report === undefined || report.email === null) return null;
    const token = await makeLink(tx, { reportId: id }, { now: now(), byMail: true });
    const decided = `Your report is decided: ${decisionLabel(report.decision).toLowerCase()}.`;
    const waits = `Your report is ${days ?? ''} days old, and not decided yet. It is to be decided by ${formatDay(report.dueOn)}.`;
    const news = days === undefined ? (NEWS[step] ?? decided) : waits;
    return letter(config.registryName, `Your report ${numberWords(report)}`, {
      parts: [
        news,
        { link: `${publicOrigin(config)}/reports/r/${token}` },
        'If you sent no report, you can ignore this email.',
      ],
    });
  },
  'reports-mine': async ({ config, now }, tx, { recipient: email }) => {
    const token = await makeLink(tx, { email }, { now: now(), byMail: true });
    return letter(config.registryName, 'Your reports', {
      parts: [
        'Somebody, probably you, asked for the reports that were sent from this address. The link works for an hour:',
        { link: `${publicOrigin(config)}/reports/mine/${token}` },
        'If you did not ask for this, you can ignore this email.',
      ],
    });
  },
};
