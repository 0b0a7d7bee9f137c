// Draws one label as SVG or PDF, and sheets of many labels with cut marks.
import { setImmediate } from 'node:timers/promises';
import {
  artifact,
  BOLD,
  makePdf,
  POINTS_PER_MM,
  REGULAR,
  type Drawing,
  type Pdf,
} from '#app/platform/paper/pdf.server.ts';
import { qrPath, qrRuns, type QrRuns } from '#app/platform/paper/qr.server.ts';
import { LABEL, labelSentence, layOutLabel, QR_BOX, QUIET_MODULES, type LabelFacts, type Measure } from './label.ts';

const A4 = { width: 210, height: 297 } as const;
const COLUMNS = 2;
const ROWS = 5;
const SIDE = (A4.width - COLUMNS * LABEL.width) / 2;
const TOP = (A4.height - ROWS * LABEL.height) / 2;
const MARK_LENGTH = 3;
const MARK_GAP = 1;
const HAIRLINE = 0.2;
const FONTS = { bold: BOLD, regular: REGULAR };
const NO_MARGINS = { top: 0, bottom: 0, left: 0, right: 0 };
const points = (mm: number) => mm * POINTS_PER_MM;

export async function labelPdf(facts: LabelFacts): Promise<Uint8Array> {
  const size = [points(LABEL.width), points(LABEL.height)] as const;
  return makePdf(
    { title: `Label of ${facts.rego}`, author: facts.registryName, size, margins: NO_MARGINS },
    (drawing) => {
      drawing.doc.addPage();
      drawLabel(drawing, facts, { x: 0, y: 0 });
    },
  );
}

/** A4 pages with ten labels each. Print them at actual size and cut them at the marks. */
export async function labelSheet(labels: readonly LabelFacts[], registryName: string): Promise<Uint8Array> {
  const size = [points(A4.width), points(A4.height)] as const;
  const title = labels.length === 1 ? 'One label' : `${labels.length} labels`;
  return makePdf({ title, author: registryName, size, margins: NO_MARGINS }, async (drawing) => {
    for (const [index, facts] of labels.entries()) {
      const place = index % (COLUMNS * ROWS);
      // Lets other requests run in between.
      await setImmediate();
      if (place === 0) {
        drawing.doc.addPage();
        drawCutMarks(drawing.doc);
      }
      drawLabel(drawing, facts, {
        x: SIDE + (place % COLUMNS) * LABEL.width,
        y: TOP + Math.floor(place / COLUMNS) * LABEL.height,
      });
    }
  });
}

function drawLabel({ doc, root, shown }: Drawing, facts: LabelFacts, { x, y }: { x: number; y: number }): void {
  const part = doc.struct('Sect', { title: facts.rego });
  root.add(part);
  for (const piece of layOutLabel({ ...facts, registryName: shown(facts.registryName) }, measureIn(doc)))
    part.add(
      doc.struct('P', {}, () => {
        doc
          .font(FONTS[piece.weight])
          .fontSize(points(piece.size))
          .fillColor('#000000')
          .text(piece.text, points(x + piece.x), points(y + piece.y), { lineBreak: false, baseline: 'alphabetic' });
      }),
    );
  part.add(
    doc.struct('Figure', { alt: `QR code of ${facts.address}` }, () => {
      drawQr(doc, qrRuns(facts.address), {
        x: points(x + QR_BOX.x),
        y: points(y + QR_BOX.y),
        size: points(QR_BOX.size),
      });
    }),
  );
  part.end();
}

/** A QR code with its quiet zone in a box of `size` points. Each run is a rectangle: pdfkit's own takes five lines. */
export function drawQr(doc: Pdf, qr: QrRuns, { x, y, size }: { x: number; y: number; size: number }): void {
  const module = size / (qr.size + 2 * QUIET_MODULES);
  const dark = qr.runs.map(({ row, column, length }) => `${column} ${row} ${length} 1 re`);
  doc
    .save()
    .translate(x + QUIET_MODULES * module, y + QUIET_MODULES * module)
    .scale(module)
    .fillColor('#000000')
    .addContent(dark.join('\n'))
    .fill()
    .restore();
}

function drawCutMarks(doc: Pdf): void {
  artifact(doc, () => {
    doc.lineWidth(points(HAIRLINE)).strokeColor('#000000');
    const mark = (x1: number, y1: number, { x2, y2 }: { x2: number; y2: number }) =>
      doc.moveTo(points(x1), points(y1)).lineTo(points(x2), points(y2)).stroke();
    for (let column = 0; column <= COLUMNS; column += 1) {
      const x = SIDE + column * LABEL.width;
      for (const y of [TOP - MARK_GAP - MARK_LENGTH, A4.height - TOP + MARK_GAP])
        mark(x, y, { x2: x, y2: y + MARK_LENGTH });
    }
    for (let row = 0; row <= ROWS; row += 1) {
      const y = TOP + row * LABEL.height;
      for (const x of [SIDE - MARK_GAP - MARK_LENGTH, A4.width - SIDE + MARK_GAP])
        mark(x, y, { x2: x + MARK_LENGTH, y2: y });
    }
  });
}

const measureIn =
  (doc: Pdf): Measure =>
  (text, size, weight) =>
    doc.font(FONTS[weight]).fontSize(points(size)).widthOfString(text) / POINTS_PER_MM;

/** SVG for other programs, in the viewer's own sans-serif. Each line is fitted to the measured width. */
export async function labelSvg(facts: LabelFacts): Promise<string> {
  let pieces: string[] = [];
  // Measures with the fonts of a PDF, which is discarded.
  await makePdf({ title: '', author: '', size: [1, 1], margins: NO_MARGINS }, ({ doc }) => {
    doc.addPage();
    pieces = layOutLabel(facts, measureIn(doc)).map(
      ({ text, x, y, size, weight, width }) =>
        `<text x="${round(x)}" y="${round(y)}" font-size="${round(size)}" font-weight="${weight === 'bold' ? 700 : 400}" textLength="${round(width)}" lengthAdjust="spacingAndGlyphs">${escapeXml(text)}</text>`,
    );
  });
  const qr = qrPath(facts.address);
  const module = QR_BOX.size / (qr.size + 2 * QUIET_MODULES);
  const [left, top] = [QR_BOX.x + QUIET_MODULES * module, QR_BOX.y + QUIET_MODULES * module];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<svg xmlns="http://www.w3.org/2000/svg" width="${LABEL.width}mm" height="${LABEL.height}mm" viewBox="0 0 ${LABEL.width} ${LABEL.height}" role="img" aria-labelledby="t">`,
    `<title id="t">${escapeXml(labelSentence(facts))}</title>`,
    `<rect width="${LABEL.width}" height="${LABEL.height}" fill="#fff"/>`,
    `<g font-family="'Noto Sans', Arial, Helvetica, sans-serif" fill="#000">`,
    ...pieces,
    '</g>',
    `<path transform="translate(${round(left)} ${round(top)}) scale(${module.toFixed(5)})" fill="#000" shape-rendering="crispEdges" d="${qr.path}"/>`,
    '</svg>',
    '',
  ].join('\n');
}

const round = (mm: number) => String(Math.round(mm * 1000) / 1000);
const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeXml = (text: string) =>
  text.replaceAll(/\p{Cc}/gu, ' ').replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
