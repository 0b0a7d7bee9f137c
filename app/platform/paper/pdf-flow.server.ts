// Text that flows down the pages of a PDF: headings, paragraphs, facts and tables, each tagged as what it is.
import { setImmediate } from 'node:timers/promises';
import { artifact, BOLD, REGULAR, type Drawing, type Pdf, type PdfPart } from './pdf.server.ts';

export type Paragraph = { text: string; size?: number; color?: string };
export type Column = { heading: string; width: number };
type Style = { size: number; bold?: boolean; color?: string };

const INK = '#11171d';
const QUIET = '#3a444e';
const LINE = '#79848f';
const CELL_PAD = 3;
const HEADING = { size: 11, bold: true };
// Measuring words takes its time: other requests come in between.
const MEASURED_AT_ONCE = 20;
/** Of the foot's line below the text, within the margin. */
const FOOT_GAP = 8;

export const INKS = { ink: INK, quiet: QUIET, line: LINE } as const;

/** Draws from `top` downwards; a new page where the rest does not fit. */
export class Flow {
  y: number;
  readonly doc: Pdf;
  readonly #drawing: Drawing;

  constructor(drawing: Drawing) {
    this.#drawing = drawing;
    this.doc = drawing.doc;
    this.doc.addPage();
    this.y = this.doc.page.margins.top;
  }

  get left(): number {
    return this.doc.page.margins.left;
  }
  get width(): number {
    return this.doc.page.width - this.doc.page.margins.left - this.doc.page.margins.right;
  }

  /** Begins a page where `height` does not fit on this one. Whether it did. */
  need(height: number): boolean {
    if (this.y + height <= this.doc.page.height - this.doc.page.margins.bottom) return false;
    this.doc.addPage();
    this.y = this.doc.page.margins.top;
    return true;
  }

  heading(tag: 'H1' | 'H2', text: string, width = this.width): void {
    const style = tag === 'H1' ? { size: 18, bold: true } : HEADING;
    // With at least a line of what it is about.
    this.need(this.#height(text, style, width) + 30);
    this.y += tag === 'H2' ? 9 : 0;
    this.#text(this.#drawing.root, tag, { text, style, x: this.left, y: this.y, width });
    this.y += this.#height(text, style, width) + 2;
  }

  paragraph(
    text: string,
    { size = 8.5, bold = false, color = INK, width = this.width }: Partial<Style> & { width?: number } = {},
  ): void {
    const style = { size, bold, color };
    this.need(this.#height(text, style, width));
    this.#text(this.#drawing.root, 'P', { text, style, x: this.left, y: this.y, width });
    this.y += this.#height(text, style, width) + 2;
  }

  /** A heading and what it is about, on one page. */
  section(title: string, paragraphs: readonly Paragraph[]): void {
    const below = paragraphs.reduce((sum, each) => sum + this.heightOf(each), 0);
    this.need(this.#height(title, HEADING, this.width) + 11 + below);
    this.heading('H2', title);
    for (const { text, ...style } of paragraphs) this.paragraph(text, style);
  }

  heightOf({ text, size = 8.5 }: Paragraph): number {
    return this.#height(text, { size }, this.width) + 2;
  }

  /** Something that the caller draws in a box of its own, from the present place on. */
  figure(alt: string, box: { x: number; y: number }, draw: (x: number, y: number) => void): void {
    this.#drawing.root.add(this.doc.struct('Figure', { alt }, () => draw(box.x, box.y)));
  }

  /** Labels and values in two columns; a value that is missing reads N/A. */
  facts(facts: readonly { label: string; value: string | null }[]): void {
    const columns = 2;
    const gap = 14;
    const width = (this.width - gap * (columns - 1)) / columns;
    const labelWidth = Math.min(96, width * 0.38);
    const rows = Math.ceil(facts.length / columns);
    for (let row = 0; row < rows; row += 1) {
      const cells = Array.from({ length: columns }, (_, column) => facts[column * rows + row]);
      const heights = cells.map((fact) =>
        fact === undefined ? 0 : this.#height(valueOf(fact.value), { size: 8.5 }, width - labelWidth),
      );
      const height = Math.max(...heights, 11);
      this.need(height);
      for (const [column, fact] of cells.entries()) {
        if (fact === undefined) continue;
        const x = this.left + column * (width + gap);
        const part = this.doc.struct('P');
        this.#drawing.root.add(part);
        this.#text(part, 'Span', {
          text: `${fact.label}:`,
          style: { size: 8.5, color: QUIET },
          x,
          y: this.y,
          width: labelWidth,
        });
        const place = { x: x + labelWidth, y: this.y, width: width - labelWidth };
        this.#text(part, 'Span', { text: valueOf(fact.value), style: { size: 8.5 }, ...place });
        part.end();
      }
      this.y += height + 1;
    }
  }

  /** A table; its headings stand again on each page, with two rows or more. What follows it stays with its last row. */
  async table(
    columns: readonly Column[],
    rows: readonly (readonly string[])[],
    after: readonly Paragraph[] = [],
  ): Promise<void> {
    const total = columns.reduce((sum, { width }) => sum + width, 0);
    const widths = columns.map(({ width }) => (width / total) * this.width);
    const headings = columns.map(({ heading }) => heading);
    const style = { size: 7.5 };
    const heightOf = (cells: readonly string[], of: Style) =>
      Math.max(...cells.map((cell, column) => this.#height(cell, of, (widths[column] ?? 0) - 2 * CELL_PAD))) +
      2 * CELL_PAD;
    const head = { ...style, bold: true };
    const heights: number[] = [];
    for (const cells of rows) {
      heights.push(heightOf(cells, style));
      if (heights.length % MEASURED_AT_ONCE === 0) await setImmediate();
    }
    const tail = after.reduce((sum, each) => sum + this.heightOf(each), 3);
    this.need(heightOf(headings, head) + wholeFrom(0, heights, tail));
    const table = this.doc.struct('Table');
    this.#drawing.root.add(table);
    const heading = { cells: headings, widths, style: head, height: heightOf(headings, head) };
    this.#row(table, 'TH', heading);
    for (const [index, cells] of rows.entries()) {
      // Setting words takes its time: other requests come in between.
      await setImmediate();
      const height = heights[index] ?? 0;
      if (this.need(wholeFrom(index, heights, tail))) this.#row(table, 'TH', heading);
      this.#row(table, 'TD', { cells, widths, style, height });
    }
    table.end();
    this.y += 3;
    for (const { text, ...more } of after) this.paragraph(text, more);
  }

  #row(
    table: PdfPart,
    tag: 'TH' | 'TD',
    {
      cells,
      widths,
      style,
      height,
    }: { cells: readonly string[]; widths: readonly number[]; style: Style; height: number },
  ): void {
    const row = this.doc.struct('TR');
    table.add(row);
    if (tag === 'TH') artifact(this.doc, () => this.doc.rect(this.left, this.y, this.width, height).fill('#edf0f2'));
    let x = this.left;
    for (const [column, cell] of cells.entries()) {
      const width = widths[column] ?? 0;
      const place = { x: x + CELL_PAD, y: this.y + CELL_PAD, width: width - 2 * CELL_PAD };
      this.#text(row, tag, { text: cell, style, ...place });
      x += width;
    }
    row.end();
    this.y += height;
    artifact(this.doc, () =>
      this.doc
        .moveTo(this.left, this.y)
        .lineTo(this.left + this.width, this.y)
        .lineWidth(0.4)
        .stroke(LINE),
    );
  }

  #text(
    part: PdfPart,
    tag: string,
    { text, style, x, y, width }: { text: string; style: Style; x: number; y: number; width: number },
  ): void {
    const { doc } = this;
    part.add(
      doc.struct(tag, {}, () => {
        this.#set(style)
          .fillColor(style.color ?? INK)
          .text(this.#drawing.shown(text), x, y, { width, height: doc.page.height });
      }),
    );
  }

  #height(text: string, style: Style, width: number): number {
    return this.#set(style).heightOfString(this.#drawing.shown(text), { width });
  }

  #set({ size, bold = false }: Style): Pdf {
    return this.doc.font(bold ? BOLD : REGULAR).fontSize(size);
  }
}

// What must be on the page where the row at `index` begins: the first row has the second with it, the one before the
// last the last, and the last what follows.
function wholeFrom(index: number, heights: readonly number[], tail: number): number {
  const height = heights[index] ?? 0;
  const last = heights.length - 1;
  if (index >= last) return height + tail;
  if (index === last - 1) return height + (heights[last] ?? 0) + tail;
  return index === 0 ? height + (heights[1] ?? 0) : height;
}

const valueOf = (value: string | null) => (value === null || value === '' ? 'N/A' : value);

/** The foot of every page, once all are drawn: `words`, and which page of how many it is. */
export function drawFeet({ doc, shown }: Drawing, words: string): void {
  const { start, count } = doc.bufferedPageRange();
  for (let page = start; page < start + count; page += 1) {
    doc.switchToPage(page);
    const { left, right, bottom } = doc.page.margins;
    const y = doc.page.height - bottom + FOOT_GAP + 4;
    doc.markContent('Artifact', { type: 'Pagination' });
    doc
      .moveTo(left, y - 4)
      .lineTo(doc.page.width - right, y - 4)
      .lineWidth(0.4)
      .stroke(LINE);
    doc.font(REGULAR).fontSize(7.5).fillColor(QUIET);
    doc.text(shown(words), left, y, { lineBreak: false });
    const pages = `Page ${page + 1 - start} of ${count}`;
    doc.text(pages, doc.page.width - right - doc.widthOfString(pages), y, { lineBreak: false });
    doc.endMarkedContent();
  }
}
