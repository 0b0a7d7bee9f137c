// PDF files as documents for everyone: tagged, with title and language, their fonts within them (PDF/UA, ISO 14289-1).
//
// The fonts are read for the first file, and then kept: a registry that makes none has 20 MB more memory.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { ReadFont } from 'fontkit';
import { attachment } from '#app/platform/http/attachment.server.ts';

export type Pdf = PDFKit.PDFDocument;
export type PdfPart = PDFKit.PDFStructureElement;

export const REGULAR = 'regular';
export const BOLD = 'bold';
export const POINTS_PER_MM = 72 / 25.4;

/** What stands for words with characters that the fonts do not have. */
export const NOT_SHOWN = '[see the page]';

const { resolve } = createRequire(import.meta.url);
const FILES = {
  [REGULAR]: resolve('@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf'),
  [BOLD]: resolve('@expo-google-fonts/noto-sans/700Bold/NotoSans_700Bold.ttf'),
};

const ASCII = Array.from({ length: 0x7f - 0x20 }, (_, n) => String.fromCodePoint(0x20 + n)).join('');

type Tools = {
  Document: typeof import('pdfkit');
  regular: ReadFont;
  bold: ReadFont;
  /** Whether both have it. */
  has: (codePoint: number) => boolean;
};
let tools: Promise<Tools> | undefined;

async function readTools(): Promise<Tools> {
  const [{ create }, { default: Document }, regular, bold] = await Promise.all([
    import('fontkit'),
    import('pdfkit'),
    readFile(FILES.regular),
    readFile(FILES.bold),
  ]);
  const fonts = { regular: create(regular), bold: create(bold) };
  // A font keeps each glyph as it was first asked for. The dot is a part of the middle dot: in a process whose first
  // file has that and no dot, it would be kept without its character, and no later file could be searched for one.
  for (const font of Object.values(fonts)) font.glyphsForString(ASCII);
  const has = (code: number) => Object.values(fonts).every((font) => font.hasGlyphForCodePoint(code));
  return { Document, ...fonts, has };
}

export type PdfSettings = {
  title: string;
  author: string;
  /** In points. */
  size: readonly [number, number];
  margins: { top: number; bottom: number; left: number; right: number };
};

/** What `draw` needs beside the document: the root of its structure, and text that the fonts can show. */
export type Drawing = { doc: Pdf; root: PdfPart; shown: (text: string) => string };

/** Makes a file. `draw` adds the pages; all content hangs below `root`, the rest is an artifact. */
export async function makePdf(
  settings: PdfSettings,
  draw: (drawing: Drawing) => void | Promise<void>,
): Promise<Uint8Array> {
  tools ??= readTools();
  const { Document, regular, bold, has } = await tools;
  const { title, author, size, margins } = settings;
  const shown = (text: string) => showable(text, has);
  const doc = new Document({
    pdfVersion: '1.7',
    tagged: true,
    lang: 'en-AU',
    displayTitle: true,
    info: { Title: shown(title), Author: shown(author) },
    font: '',
    size: [...size],
    margins,
    autoFirstPage: false,
    bufferPages: true,
  });
  const blocks: Buffer[] = [];
  const whole = new Promise<Uint8Array>((settle, fail) => {
    doc.on('data', (block: Buffer) => blocks.push(block));
    doc.on('end', () => settle(Buffer.concat(blocks)));
    doc.on('error', fail);
  });
  doc.registerFont(REGULAR, regular);
  doc.registerFont(BOLD, bold);
  const root = doc.struct('Document');
  doc.addStructure(root);
  await draw({ doc, root, shown });
  doc.appendXML(
    '<rdf:Description xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/" rdf:about=""><pdfuaid:part>1</pdfuaid:part></rdf:Description>',
  );
  root.end();
  doc.end();
  return whole;
}

/** Draws an artifact, which screen readers skip: lines, grounds, a second copy of a text. */
export function artifact(doc: Pdf, draw: () => void): void {
  doc.markContent('Artifact', { type: 'Layout' });
  draw();
  doc.endMarkedContent();
}

/** A file as an answer, to be saved as `name`: browsers show no PDF under a policy that allows nothing. */
export function answerPdf(bytes: Uint8Array, name: string): Response {
  return attachment(Uint8Array.from(bytes), name, { 'content-type': 'application/pdf', 'cache-control': 'no-cache' });
}

// Marks of direction and the like could turn the words around them; words of other alphabets and emoji are one mark
// where they follow each other.
function showable(text: string, has: Tools['has']): string {
  let out = '';
  for (const character of text.normalize('NFC').replaceAll(/[\t\n\r\p{Zl}\p{Zp}]+/gu, ' ')) {
    if (/[\p{Cc}\p{Cf}\p{Variation_Selector}]/u.test(character)) continue;
    out += has(character.codePointAt(0) ?? 0) ? character : '\uFFFD';
  }
  return out.replaceAll(/\uFFFD(?: *\uFFFD)*/g, NOT_SHOWN);
}
