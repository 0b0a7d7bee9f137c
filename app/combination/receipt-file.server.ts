// /combination/receipt.pdf: what was said of units that are coupled, when, with the head of the public log.
import { inOneLine } from '#app/check-list/answer-words.ts';
import { receiptPdf } from '#app/check-list/receipt.server.ts';
import { CSV_BEGIN, csvLine } from '#app/platform/http/csv.ts';
import { problem } from '#app/platform/http/problem-details.server.ts';
import { answerPdf } from '#app/platform/paper/pdf.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { logHead } from '#app/transparency-log/log-page.server.ts';
import { counted } from '#app/ui/counted.ts';
import { WORST_FIRST } from './combination.ts';
import { addressOf, answerCombination, unitsAsked } from './answer-combination.server.ts';

const COLUMNS = ['unit', 'asked_for', 'answer', 'rego', 'due_date', 'what_it_rests_on', 'read_by', 'as_at'];

export async function receiptFile(
  services: Services,
  { file, query, origin }: { file: string; query: URLSearchParams; origin: string },
): Promise<Response> {
  if (file !== 'receipt.pdf')
    return problem(404, 'no-such-file', { detail: 'The answer to a combination is receipt.pdf.' });
  const texts = unitsAsked(query);
  const on = query.get('on') ?? '';
  const answer = await answerCombination(services, texts, on);
  if (answer?.ok !== true)
    return problem(400, 'units-invalid', {
      detail: answer?.error || 'Name one to six units, each by its rego or VIN.',
    });
  const { shown, units, moment, today } = answer;
  const asAt = moment.toISOString();
  const rows = units.map((unit, place) => {
    const words = shown.units[place];
    return { unit, place: `${place + 1}`, words, said: words === undefined ? '' : inOneLine(words) };
  });
  const csv = rows.map(({ unit, place, words, said }) => {
    const { record, rego, dueOn, readBy } = unit;
    const own = record === null ? null : rego;
    return csvLine([place, unit.answer.asked, words?.badge ?? '', own, dueOn, said, readBy, asAt]);
  });
  const receipt = await receiptPdf({
    registryName: services.config.registryName,
    title: `${counted(units.length, 'unit', 'units')} checked together: ${shown.label}`,
    said: [shown.sentence, ...(shown.notHeld === null ? [] : [`${shown.notHeld.lead} ${shown.notHeld.rest}`])],
    again: `Check them again at ${origin}${addressOf(texts, on)}`,
    asAt: shown.asAt,
    counts: WORST_FIRST.flatMap(({ word, label }) => {
      const count = units.filter((unit) => unit.word === word).length;
      return count === 0 ? [] : [{ label, value: String(count) }];
    }),
    rows: rows.map(({ unit, place, words, said }) => [
      place,
      unit.answer.asked,
      words?.badge ?? '',
      words?.due ?? '',
      said,
    ]),
    total: rows.length,
    what: 'Unit',
    csv: CSV_BEGIN + csvLine(COLUMNS) + csv.join(''),
    log: await logHead(services.config),
  });
  return answerPdf(receipt, `receipt-${today}.pdf`);
}
