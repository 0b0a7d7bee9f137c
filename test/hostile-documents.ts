// Files that are no images but have names of images and certificates, and certificates with active content.
import { gzipSync } from 'node:zlib';
import { MARK, NO_CERTIFICATE, NO_IMAGE, type HostileFile } from './hostile-file.ts';
import * as parts from './image-parts.ts';

const SCRIPT = `<script>alert("${MARK}")</script>`;
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${SCRIPT}</svg>`;
const XXE = `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg xmlns="http://www.w3.org/2000/svg"><text>&x;${MARK}</text></svg>`;
const hex = (start: string) => () => Buffer.concat([Buffer.from(start, 'hex'), Buffer.alloc(600), Buffer.from(MARK)]);
const text = (content: string) => () => Buffer.from(content);
/** The box that says which kind of ISO media a file is. */
const isoMedia = (brand: string) => () =>
  Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from(`ftyp${brand}\0\0\0\0mif1${brand}`), Buffer.alloc(600)]);

type Row = [what: string, name: string, make: HostileFile['make']];
const NEITHER: Row[] = [
  ['SVG', 'a.svg', text('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
  ['SVG with a script', 'a.svg', text(SVG)],
  ['SVG with a script called .png', 'a.png', text(SVG)],
  ['SVG that fetches', 'a.jpg', text(SVG.replace(SCRIPT, '<image href="http://127.0.0.1:9/x.png"/>'))],
  ['SVG behind a mark and blanks', 'a.png', text(`\uFEFF  \n<!-- ${MARK} -->\n${SVG}`)],
  ['SVG in UTF-16', 'a.png', () => Buffer.from(`\uFEFF${SVG}`, 'utf16le')],
  ['compressed SVG', 'a.svgz', () => gzipSync(SVG)],
  ['XML with an external entity', 'a.png', text(XXE)],
  ['XML with entities within entities', 'a.png', text('<!DOCTYPE l [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><l>&b;</l>')],
  ['HTML called .jpg', 'a.jpg', text(`<!doctype html>${SCRIPT}`)],
  ['HTML called .pdf', 'a.pdf', text(`<!doctype html>${SCRIPT}`)],
  ['HTML called .png', 'a.png', text(`<html>${SCRIPT}</html>`)],
  ['HTML in UTF-7', 'a.png', text(`+ADw-script+AD4-alert('${MARK}')+ADw-/script+AD4-`)],
  ['XHTML', 'a.xhtml', text(`<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">${SCRIPT}</html>`)],
  ['a script', 'a.js', text(`alert("${MARK}")`)],
  ['PHP', 'a.php', text(`<?php system($_GET["${MARK}"]);`)],
  ['a shell script', 'a.jpg', text(`#!/bin/sh\ntouch /tmp/${MARK}\n`)],
  ['a drawing that reads a file', 'a.mvg', text(`push graphic-context\nimage over 0,0 0,0 'label:@/etc/passwd'\n`)],
  ['a drawing that runs a command', 'a.jpg', text(`push graphic-context\nfill 'url(https://x"|touch "${MARK})'\n`)],
  [
    'a script of image commands',
    'a.msl',
    text(`<image><read filename="/etc/passwd"/><write filename="${MARK}"/></image>`),
  ],
  ['EPS', 'a.eps', text('%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n(/etc/passwd) (r) file\n')],
  ['EPS with a preview', 'a.jpg', hex('c5d0d3c620000000')],
  ['PostScript called .pdf', 'a.pdf', text(`%!PS\nuserdict /setpagedevice undef (%pipe%touch ${MARK}) (w) file\n`)],
  ['GIF', 'a.gif', parts.gif],
  ['GIF called .png', 'a.png', parts.gif],
  ['TIFF', 'a.tif', parts.tiff],
  ['TIFF with the high byte first', 'a.jpg', hex('4d4d002a00000008')],
  ['AVIF', 'a.avif', parts.avif],
  ['HEIC', 'a.heic', isoMedia('heic')],
  ['a film', 'a.mp4', isoMedia('isom')],
  ['BMP', 'a.bmp', hex('424d360000000000000036000000')],
  ['ICO', 'a.ico', hex('00000100010010100000')],
  ['PSD', 'a.psd', hex('384250530001000000000000')],
  ['JPEG XL', 'a.jxl', hex('0000000c4a584c200d0a870a')],
  ['JPEG 2000', 'a.jp2', hex('0000000c6a5020200d0a870a0000001466747970')],
  ['JPEG XR', 'a.jxr', hex('4949bc0108000000')],
  ['lossless JPEG', 'a.jls', hex('ffd8fff7000b')],
  ['animated PNG', 'a.png', async () => parts.pngWith(parts.pngChunk('acTL', Buffer.alloc(8, 1)))],
  ['OpenEXR', 'a.exr', hex('762f310102000000')],
  ['Radiance', 'a.hdr', text('#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 9 +X 9\n')],
  ['PPM', 'a.png', text('P6\n9 9\n255\n')],
  ['FITS', 'a.fits', text(`SIMPLE  =                    T / ${MARK}`)],
  ['a program for Windows', 'a.png', hex('4d5a90000300000004000000ffff0000')],
  ['a program for Linux', 'a.png', hex('7f454c46020101000000000000000000')],
  ['a program for macOS', 'a.png', hex('cffaedfe07000001')],
  ['WebAssembly', 'a.png', hex('0061736d01000000')],
  ['a Java class', 'a.png', hex('cafebabe00000034')],
  ['an Office file with macros', 'a.doc', hex('d0cf11e0a1b11ae1')],
  ['a ZIP', 'a.zip', hex('504b0304140000000000')],
  ['a shortcut for Windows', 'a.jpg', hex('4c0000000114020000000000c000000000000046')],
  ['Flash', 'a.swf', hex('4357530a')],
  ['RTF', 'a.rtf', text(`{\\rtf1{\\object\\objdata ${MARK}}}`)],
  ['a sound in a RIFF', 'a.webp', () => Buffer.concat([Buffer.from('RIFF\u0020\0\0\0WAVEfmt '), Buffer.alloc(40)])],
];

export const neitherNor: HostileFile[] = NEITHER.flatMap(([what, name, make]) => [
  { what, role: 'image', name, fate: NO_IMAGE, make },
  { what: `${what} as certificate`, role: 'certificate', name, fate: NO_CERTIFICATE, make },
]);

const pdf = (catalog: string, { head = '', more = '', tail = '' } = {}) =>
  Buffer.from(
    `${head}%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R${catalog}>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\n` +
      `${more}xref\n0 3\ntrailer<</Root 1 0 R/Size 3>>\nstartxref\n9\n%%EOF\n${tail}`,
    'latin1',
  );
const kept = (what: string, make: HostileFile['make']): HostileFile => ({
  what,
  role: 'certificate',
  name: 'a.pdf',
  fate: 'attachment',
  make,
});
const refused = (what: string, fate: RegExp, make: HostileFile['make']): HostileFile => ({ ...kept(what, make), fate });

export const pdfs: HostileFile[] = [
  kept('PDF with JavaScript', () => pdf(`/OpenAction<</S/JavaScript/JS(app.alert\\("${MARK}"\\))>>`)),
  kept('PDF that starts a program', () => pdf(`/OpenAction<</S/Launch/F(cmd.exe)/P(${MARK})>>`)),
  kept('PDF that opens an address', () => pdf('/OpenAction<</S/URI/URI(http://127.0.0.1:9/)>>')),
  kept('PDF that submits a form', () => pdf('/AA<</O<</S/SubmitForm/F(http://127.0.0.1:9/)>>>>')),
  kept('PDF with a file in it', () => pdf('/Names<</EmbeddedFiles<</Names[(a.exe) 3 0 R]>>>>', { more: `MZ${MARK}` })),
  kept('PDF with a form of XML', () => pdf('/AcroForm<</XFA 3 0 R>>', { more: `<xdp:xdp>${SCRIPT}</xdp:xdp>` })),
  kept('PDF with HTML in a stream', () => pdf('', { more: `3 0 obj<<>>stream\n<html>${SCRIPT}</html>\nendstream\n` })),
  kept('PDF with a short ZIP behind it', () => pdf('', { tail: `PK\u0003\u0004${MARK}` })),
  kept('PDF filled up with zeros', () => pdf('', { tail: '\0'.repeat(4096) })),
  refused('PDF with a long ZIP behind it', /end is missing\.$/, () =>
    pdf('', { tail: `PK\u0003\u0004${MARK.repeat(500)}` }),
  ),
  refused('PDF with HTML before it', NO_CERTIFICATE, () => pdf('', { head: `<html>${SCRIPT}</html>` })),
  refused('PDF cut off', /end is missing\.$/, () => pdf('').subarray(0, 150)),
  refused('PDF made for the web, cut off', /end is missing\.$/, () =>
    pdf('', { tail: `3 0 obj<</Length 99999>>stream\n${'x'.repeat(5000)}` }),
  ),
  refused('the first bytes of a PDF', /end is missing\.$/, () => Buffer.from('%PDF-')),
  { what: 'PDF as image', role: 'image', name: 'a.png', fate: NO_IMAGE, make: () => pdf('') },
  refused('WebP as certificate', NO_CERTIFICATE, parts.webp),
];
