// The files that an export names by download URLs, out of a copy of the former storage.
import { readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { decodeEscapes } from '#app/platform/http/decode-escapes.ts';
import { checkUpload, storeUpload, type UploadRole } from '#app/files/store-upload.server.ts';
import { shorten } from './clean-record.ts';
import type { ImportJob } from './import-job.server.ts';

/** What stands behind a link: a stored file, or only the link, and the name to show. */
export type LinkedFile = { fileId: string | null; externalUrl: string; uploadedName: string };
/** A link of the export: what it is for, and below which prefix its file is kept. */
export type ExportLink = { key: string; role: UploadRole; prefix: string; url: string };

const LARGEST = 64 * 1024 * 1024;
const NAME_MAX_LENGTH = 200;

/**
 * Takes in the file that `link` names, where the copy has it; else the link is kept and reported. A dry run reports the
 * same and keeps the link.
 */
export async function takeLinkedFile(job: ImportJob, { key, role, prefix, url }: ExportLink): Promise<LinkedFile> {
  const { db, files, bucket, report } = job;
  const inBucket = bucketPath(url);
  const uploadedName = shorten(inBucket?.split('/').at(-1) ?? '', NAME_MAX_LENGTH);
  const link: LinkedFile = { fileId: null, externalUrl: url, uploadedName };
  const kept = (why: string): LinkedFile => {
    report.count('Files', 'kept');
    report.line(key, 'link kept', { text: `${role} ${inBucket ?? url}: ${why}`, sort: `${role}: ${why}` });
    return link;
  };
  if (inBucket === undefined) return kept('the link names no file of the former storage');
  if (bucket === undefined) return kept('no copy of the former storage was given (--files)');
  const bytes = await readWithin(bucket.folder, inBucket);
  if (bytes === undefined) return kept('the copy of the former storage does not hold it');
  if (job.dryRun) {
    const checked = await checkUpload(db, role, { prefix, bytes });
    if (checked.state === 'refused') return kept(`refused: ${checked.reason}`);
    report.count('Files', checked.state === 'new' ? 'added' : 'unchanged');
    return link;
  }
  const answer = await storeUpload(db, files, { role, prefix, bytes });
  if (!answer.stored) return kept(`refused: ${answer.reason}`);
  report.count('Files', answer.isNew ? 'added' : 'unchanged');
  return { fileId: answer.fileId, externalUrl: '', uploadedName };
}

/** The path in the bucket that a download URL names (`…/o/vehicles%2FABC%2Fphoto.png?alt=media`), undefined: none. */
export function bucketPath(url: string): string | undefined {
  const match = /\/o\/([^/?#]+)(?:[?#].*)?$/.exec(url);
  const decoded = decodeEscapes(match?.[1] ?? '') ?? '';
  const isPath = !/[\u0000\\]/.test(decoded) && decoded.split('/').every((part) => !['', '.', '..'].includes(part));
  return isPath ? decoded : undefined;
}

// Links inside the copy may point out of it; what they point at is not part of it.
async function readWithin(folder: string, relative: string): Promise<Buffer | undefined> {
  try {
    const root = await realpath(folder);
    const file = await realpath(path.join(root, relative));
    const found = await stat(file);
    return file.startsWith(`${root}${path.sep}`) && found.isFile() && found.size <= LARGEST
      ? await readFile(file)
      : undefined;
  } catch {
    return undefined;
  }
}
