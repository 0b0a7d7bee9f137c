// What others read from our paper: the text of a PDF (poppler), and QR codes in a picture of it (zbar).
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const PROGRAMS = ['pdftotext', 'pdftoppm', 'pdfinfo', 'pdfdetach', 'zbarimg'];

/** Whether the programs are here. Where they are not, the test is not run, and says so; in CI that is a failure. */
export function hasPaperReaders(): boolean {
  if (PROGRAMS.every((program) => existsSync(`/usr/bin/${program}`))) return true;
  process.stdout.write('NOT RUN: reading PDF files and QR codes, as poppler-utils or zbar-tools are not here.\n');
  if (process.env['CI'] !== undefined) throw new Error('CI must have poppler-utils and zbar-tools');
  return false;
}

async function withFile<T>(bytes: Uint8Array, read: (file: string, folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), 'paper-'));
  const file = path.join(folder, 'paper');
  await writeFile(file, bytes);
  try {
    return await read(file, folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The text of a PDF in its reading order, a page an entry. */
export const textOf = (pdf: Uint8Array): Promise<string[]> =>
  withFile(pdf, async (file) => {
    const { stdout } = await run('pdftotext', ['-raw', '-enc', 'UTF-8', file, '-']);
    return stdout.split('\f').slice(0, -1);
  });

/** The files that are attached to a PDF, by their names. */
export const attachedTo = (pdf: Uint8Array): Promise<Map<string, Buffer>> =>
  withFile(pdf, async (file, folder) => {
    const into = path.join(folder, 'attached');
    await mkdir(into);
    await run('pdfdetach', ['-saveall', '-o', into, file]);
    const names = await readdir(into);
    return new Map(
      await Promise.all(names.map(async (name) => [name, await readFile(path.join(into, name))] as const)),
    );
  });

/** What pdfinfo says of a PDF, by its names. */
export const infoOf = (pdf: Uint8Array): Promise<Record<string, string>> =>
  withFile(pdf, async (file) => {
    const { stdout } = await run('pdfinfo', [file]);
    return Object.fromEntries(
      stdout.split('\n').map((line) => [line.split(':')[0] ?? '', line.slice(line.indexOf(':') + 1).trim()]),
    );
  });

/** The structure of a tagged PDF, with its text. */
export const structureOf = (pdf: Uint8Array): Promise<string> =>
  withFile(pdf, async (file) => (await run('pdfinfo', ['-struct-text', file])).stdout);

/** What the QR codes of a PDF say, page by page, printed at `dpi`. */
export const codesOf = (pdf: Uint8Array, dpi = 150): Promise<string[]> =>
  withFile(pdf, async (file, folder) => {
    await run('pdftoppm', ['-r', String(dpi), '-png', '-gray', file, path.join(folder, 'page')]);
    const pages = (await readdir(folder)).filter((name) => name.endsWith('.png')).toSorted();
    return readCodes(pages.map((page) => path.join(folder, page)));
  });

/** What the one QR code within a part of a page says, given in millimetres. */
export const codeAt = (
  pdf: Uint8Array,
  page: number,
  [x, y, width, height]: readonly [number, number, number, number],
  dpi = 150,
): Promise<string | undefined> =>
  withFile(pdf, async (file, folder) => {
    const dots = (mm: number) => String(Math.round((mm * dpi) / 25.4));
    const part = ['-x', dots(x), '-y', dots(y), '-W', dots(width), '-H', dots(height)];
    const only = ['-f', String(page), '-l', String(page), '-singlefile'];
    await run('pdftoppm', ['-r', String(dpi), '-png', '-gray', ...part, ...only, file, path.join(folder, 'part')]);
    return (await readCodes([path.join(folder, 'part.png')]))[0];
  });

/** What the QR codes of a PNG say. */
export const codesOfPicture = (png: Uint8Array): Promise<string[]> => withFile(png, (file) => readCodes([file]));

const NO_CODE = 4;

async function readCodes(files: readonly string[]): Promise<string[]> {
  const { stdout } = await run('zbarimg', ['--quiet', '--raw', '-Sdisable', '-Sqrcode.enable', ...files]).catch(
    (error: unknown) => {
      // Some page has none.
      if (error instanceof Error && 'code' in error && error.code === NO_CODE && 'stdout' in error)
        return { stdout: String(error.stdout) };
      throw error;
    },
  );
  return stdout.split('\n').filter((line) => line !== '');
}
