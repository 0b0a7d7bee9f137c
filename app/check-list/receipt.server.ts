// The receipt of what was checked, as PDF: what was known of each truck, when, and the head of the public log at that
// moment, so that it can be shown later. The whole answer is attached as CSV, and its hash is printed; so many lines
// are printed too.
import { createHash } from 'node:crypto';
import { drawFeet, Flow, INKS } from '#app/platform/paper/pdf-flow.server.ts';
import { makePdf, POINTS_PER_MM } from '#app/platform/paper/pdf.server.ts';

const A4 = [595.28, 841.89] as const;
const MARGIN = 15 * POINTS_PER_MM;
/** To lay out 10,000 lines takes 370 MB, and so many 40. */
export const LINES_PRINTED = 1000;

export type Receipt = {
  registryName: string;
  title: string;
  /** What is said of all. */
  said?: readonly string[];
  /** 'Check the list again at …' */
  again: string;
  asAt: string;
  counts: readonly { label: string; value: string }[];
  /** A row of the table: number, what was asked for, the answer, when it is due, what it rests on. */
  rows: readonly (readonly [string, string, string, string, string])[];
  /** Of all lines, where more than are printed. */
  total: number;
  what: 'Line' | 'Unit';
  /** All of them, as CSV. */
  csv: string;
  log: { size: number; rootHex: string } | null;
};

export async function receiptPdf(receipt: Receipt): Promise<Uint8Array> {
  const { registryName, title, said = [], again, asAt, counts, rows, total, what, csv, log } = receipt;
  const margins = { top: MARGIN, bottom: MARGIN, left: MARGIN, right: MARGIN };
  const attached = Buffer.from(csv);
  const lines = what.toLowerCase();
  return makePdf({ title, author: registryName, size: A4, margins }, async (drawing) => {
    const flow = new Flow(drawing);
    flow.paragraph(registryName, { size: 9, bold: true, color: INKS.quiet });
    flow.heading('H1', title);
    for (const sentence of said) flow.paragraph(sentence, { bold: true });
    flow.paragraph(`As at ${asAt}`, { bold: true });
    flow.paragraph(
      log === null
        ? 'The public log was not signed yet.'
        : `The public log had ${log.size.toLocaleString('en-AU')} entries, with the root hash ${log.rootHex}.`,
    );
    flow.paragraph(`Receipts go out of date. ${again}`, { color: INKS.quiet });
    flow.heading('H2', 'Answers');
    flow.facts(counts);
    flow.heading('H2', `${what} by ${lines}`);
    flow.paragraph(
      `${total > rows.length ? `The first ${rows.length.toLocaleString('en-AU')} ${lines}s. ` : ''}All ${lines}s are in the file answer.csv, which is attached to this PDF. Its SHA-256 is ${createHash('sha256').update(attached).digest('hex')}.`,
      { color: INKS.quiet },
    );
    drawing.doc.file(attached, { name: 'answer.csv', type: 'text/csv', description: `The answer to each ${lines}` });
    await flow.table(
      [
        { heading: what, width: 8 },
        { heading: 'Asked for', width: 28 },
        { heading: 'Answer', width: 22 },
        { heading: 'Due', width: 16 },
        { heading: 'What it rests on', width: 60 },
      ],
      rows.map((row) => [...row]),
    );
    drawFeet(drawing, `${registryName} · ${asAt}`);
  });
}
