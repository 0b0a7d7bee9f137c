// How backup and restore say what an archive holds.
import type { Manifest, Totals } from '#app/backup/archive.ts';

// Of the tables that are shown.
const WORDS = {
  vehicle: 'vehicle',
  calibration: 'calibration',
  activity_log: 'entry of the activity log',
  log_leaf: 'entry of the public log',
  user: 'account',
};
const MEGABYTE = 1024 * 1024;

/** One line: when it was made, what is in it. */
export function summary({ createdAt, product, log }: Manifest, { rows, files }: Totals, bytes: number): string {
  const parts = Object.entries(WORDS).map(([table, word]) => counted(rows[table] ?? 0, word));
  return [
    `Backup of ${createdAt}, version ${product}, ${(bytes / MEGABYTE).toFixed(1)} MB:`,
    `${[...parts, counted(files.count, 'file')].join(', ')}.`,
    log.verifierKey === null ? '' : `The log is verified with ${log.verifierKey}`,
  ]
    .join(' ')
    .trim();
}

export function counted(n: number, what: string): string {
  const plural = what.startsWith('entry') ? what.replace('entry', 'entries') : `${what}s`;
  return `${n.toLocaleString('en-AU')} ${n === 1 ? what : plural}`;
}
