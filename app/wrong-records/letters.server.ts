// The mails to a reporter. Each is composed when it is sent, with a link of its own; it says what happened, and
// nobody's words. Of an erased report none leaves.
import { publicOrigin } from '#app/access/one-time-link.server.ts';
import { letter, type Letters } from '#app/platform/mail/letter.ts';
import { formatDay } from '#app/platform/time/calendar.ts';
import { findReport, makeLink } from './queries.server.ts';
import { ANSWER_DAYS, CONFIRM_WITHIN_DAYS, decisionLabel, numberWords } from './report.ts';

const NEWS: Readonly<Record<string, string>> = {
  received: `We received your report. Nobody reads it before you confirm it: open this link within ${CONFIRM_WITHIN_DAYS} days, and press the button.`,
  opened: 'The office has read your report and looks into it.',
  asked: `Your report is with the technician, who is asked to answer within ${ANSWER_DAYS} days.`,
};
const IGNORE = 'If you sent no report, you can ignore this email.';

export const REPORT_LETTERS: Letters = {
  'report-news': async ({ config, now }, tx, { facts: { report: id = '', step = '', days } }) => {
    const report = await findReport(tx, id);
    if (report === undefined || report.email === null) return null;
    const link = `${publicOrigin(config)}/reports/r/${await makeLink(tx, { reportId: id, byMail: true }, now())}`;
    const decided = `Your report is decided: ${decisionLabel(report.decision).toLowerCase()}.`;
    const waits = `Your report is ${days ?? ''} days old, and not decided yet. It is due on ${formatDay(report.dueOn)}.`;
    const news = days === undefined ? (NEWS[step] ?? decided) : waits;
    return letter(config.registryName, `Your report ${numberWords(report)}`, { parts: [news, { link }, IGNORE] });
  },
  'reports-mine': async ({ config, now }, tx, { recipient: email }) => {
    const link = `${publicOrigin(config)}/reports/mine/${await makeLink(tx, { email, byMail: true }, now())}`;
    const asked = 'Somebody, probably you, asked for the reports of this address. The link works for an hour:';
    return letter(config.registryName, 'Your reports', { parts: [asked, { link }, IGNORE] });
  },
};
