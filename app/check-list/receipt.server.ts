// The receipt of a checked list, as PDF: what was known of each truck, when, and the head of the public log at that
// moment, so that it can be shown later. The whole answer is attached as CSV, and its hash is printed; so many lines
// are printed too.
import { createHash } from 'node:crypto';
import { drawFeet, Flow, INKS } from '#app/platform/paper/pdf-flow.server.ts';
import { makePdf, POINTS_PER_MM } from '#app/platform/paper/pdf.server.ts';
import { todayIn } from '#app/platform/time/calendar.ts';
import { counted } from '#app/ui/counted.ts';
import type { LineAnswer } from './line-answer.ts';
import { ANSWER_KINDS, answerWords, inOneLine, kindOf } from './answer-words.ts';

const A4 = [595.28, 841.89] as const;
const MARGIN = 15 * POINTS_PER_MM;
/** To lay out 10,000 lines takes 370 MB, and so many 40. */
const LINES_PRINTED = 1000;

export type Receipt = {
  registryName: string;
  /** Where anyone checks a list again. */
  address: string;
  asAt: string;
  zone: string;
  answers: readonly LineAnswer[];
  /** All of them, as CSV. */
  csv: string;
  log: { size: number; rootHex: string } | null;
};

export async function receiptPdf({
  registryName,
  address,
  asAt,
  zone,
  answers,
  csv,
  log,
}: Receipt): Promise<Uint8Array> {
  const title = `${counted(answers.filter(({ kind }) => kind !== 'heading').length, 'line', 'lines')} checked`;
  const margins = { top: MARGIN, bottom: MARGIN, left: MARGIN, right: MARGIN };
  const attached = Buffer.from(csv);
  return makePdf({ title, author: registryName, size: A4, margins }, async (drawing) => {
    const flow = new Flow(drawing);
    flow.paragraph(registryName, { size: 9, bold: true, color: INKS.quiet });
    flow.heading('H1', title);
    flow.paragraph(`As at ${asAt}`, { bold: true });
    flow.paragraph(
      log === null
        ? 'The public log was not signed yet.'
        : `The public log had ${log.size.toLocaleString('en-AU')} entries, with the root hash ${log.rootHex}.`,
    );
    flow.paragraph(`Receipts go out of date. Check the list again at ${address}`, { color: INKS.quiet });
    flow.heading('H2', 'Answers');
    flow.facts(
      ANSWER_KINDS.flatMap(({ kind, word }) => {
        const count = answers.filter((answer) => kindOf(answer) === kind).length;
        return count === 0 ? [] : [{ label: word, value: count.toLocaleString('en-AU') }];
      }),
    );
    flow.heading('H2', 'Line by line');
    const more = answers.length - LINES_PRINTED;
    flow.paragraph(
      `${more > 0 ? `The first ${LINES_PRINTED.toLocaleString('en-AU')} lines. ` : ''}All lines are in the file answer.csv, which is attached to this PDF. Its SHA-256 is ${createHash('sha256').update(attached).digest('hex')}.`,
      { color: INKS.quiet },
    );
    drawing.doc.file(attached, { name: 'answer.csv', type: 'text/csv', description: 'The answer to each line' });
    await flow.table(
      [
        { heading: 'Line', width: 8 },
        { heading: 'Asked for', width: 28 },
        { heading: 'Answer', width: 22 },
        { heading: 'Due', width: 16 },
        { heading: 'What it rests on', width: 60 },
      ],
      answers.slice(0, LINES_PRINTED).map((answer) => {
        const words = answerWords(answer, (instant) => todayIn(zone, instant));
        return [answer.number.toLocaleString('en-AU'), answer.asked, words.answer, words.due, inOneLine(words)];
      }),
    );
    drawFeet(drawing, `${registryName} · ${asAt}`);
  });
}
