// The whole answer to a list as a file: answer.csv or receipt.pdf. The page's own form asks for it, with the list.
import { inThreadTurn } from '#app/platform/process/few-at-once.server.ts';
import { csvDownload } from '#app/platform/http/csv-download.server.ts';
import { readFieldsOrProblem } from '#app/forms/read-fields.server.ts';
import { problem } from '#app/platform/http/problem-details.server.ts';
import { answerPdf } from '#app/platform/paper/pdf.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { todayIn } from '#app/platform/time/calendar.ts';
import { logHead } from '#app/transparency-log/log-page.server.ts';
import { counted } from '#app/ui/counted.ts';
import { answerCsv } from './answer-csv.ts';
import { askedDay } from './asked-day.server.ts';
import { answerList } from './answer-list.server.ts';
import { ANSWER_KINDS, answerWords, inOneLine, kindOf } from './answer-words.ts';
import { allAnswers } from './check-list.server.ts';
import { takeLines, tooManyAnswer } from './line-limit.server.ts';
import { countAsked, readList } from './read-list.server.ts';
import { LINES_PRINTED, receiptPdf } from './receipt.server.ts';

type Asked = { request: Request; file: string; client: string; origin: string };

export async function answerFile(services: Services, { request, file, client, origin }: Asked): Promise<Response> {
  if (file !== 'answer.csv' && file !== 'receipt.pdf')
    return problem(404, 'no-such-file', { detail: 'The answer to a list is answer.csv or receipt.pdf.' });
  const form = await readFieldsOrProblem(request);
  if (form instanceof Response) return form;
  const read = await inThreadTurn(async () => readList(form.fields.get('list') ?? ''));
  if (!read.ok) return problem(400, 'list-invalid', { detail: read.message });
  const hit = await takeLines(services, client, countAsked(read.lines));
  if (!hit.allowed) return tooManyAnswer(hit.retryAfterSeconds);
  const { db, config } = services;
  const zone = config.timeZone;
  const asked = await askedDay(services, form.fields.get('on') ?? '', read.lines.length);
  if ('refusal' in asked) return problem(400, 'day-invalid', { detail: asked.refusal });
  const { at: today, words, moment: now } = asked;
  const columns = { asAt: now.toISOString(), zone };
  if (file === 'answer.csv') return csvDownload(answerCsv(answerList(db, read.lines, today), columns), 'checked.csv');
  const answers = await allAnswers(db, read.lines, today);
  let csv = '';
  for await (const lines of answerCsv([answers], columns)) csv += lines;
  const receipt = await receiptPdf({
    registryName: config.registryName,
    title: `${counted(answers.filter(({ kind }) => kind !== 'heading').length, 'line', 'lines')} checked`,
    again: `Check the list again at ${origin}/check`,
    asAt: words,
    counts: ANSWER_KINDS.flatMap(({ kind, word }) => {
      const count = answers.filter((answer) => kindOf(answer) === kind).length;
      return count === 0 ? [] : [{ label: word, value: count.toLocaleString('en-AU') }];
    }),
    rows: answers.slice(0, LINES_PRINTED).map((answer) => {
      const words = answerWords(answer, (instant) => todayIn(zone, instant));
      return [answer.number.toLocaleString('en-AU'), answer.asked, words.answer, words.due, inOneLine(words)];
    }),
    total: answers.length,
    what: 'Line',
    csv,
    log: await logHead(config),
  });
  return answerPdf(receipt, `receipt-${todayIn(zone, now)}.pdf`);
}
