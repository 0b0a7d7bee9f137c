// The preview of an import, and the import block by block. Each line is a write of its own, as its form would make it:
// an entry in the activity log, and a leaf. Anybody who breaks off imports the same file again: what is done is then as
// it is.
import { createHash } from 'node:crypto';
import type { SignedIn } from '#app/access/session.server.ts';
import { makeStatistics } from '#app/platform/database/server-speed.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import type { FileChoice } from '#app/vehicles/commit-files.server.ts';
import { registerVehicle } from '#app/vehicles/register-vehicle.server.ts';
import { updateVehicle } from '#app/vehicles/update-vehicle.server.ts';
import { LINE_KINDS, noteText, type ImportPreview, type LineNote, type LinePlan } from './import-answer.ts';
import { MAY_HAVE_CHANGED } from '#app/platform/http/spreadsheet-mark.ts';
import { planImport, TAKEN_AWAY, type PlannedLine, type Planning } from './plan-import.server.ts';
import { leftOutCsv } from '#app/platform/http/read-table.server.ts';
import type { GivenVehicle, ReadVehicles } from './read-vehicles.server.ts';

const PLANNED_AT_ONCE = 500;
export const LINES_A_BLOCK = 500;
const LINES_SHOWN = 300;
/** As many boxes as a form may have of one name. */
const MARKED_SHOWN = 200;
const NO_FILES: FileChoice = {
  certificate: '',
  removeCertificate: false,
  newImages: [],
  removedImages: [],
  order: new Map(),
};

export async function previewImport(
  services: Planning,
  { vehicles, read }: Pick<ReadVehicles & { ok: true }, 'vehicles' | 'read'>,
): Promise<ImportPreview> {
  const lines = await planAll(services, vehicles);
  const ofKinds = (...kinds: LinePlan['kind'][]) => lines.filter(({ kind }) => kinds.includes(kind));
  const worth = [
    ...ofKinds('marked').slice(0, MARKED_SHOWN),
    ...ofKinds('refused', 'conflicting'),
    ...ofKinds('changed', 'new'),
  ];
  return {
    step: 'preview',
    read,
    counts: LINE_KINDS.map(({ kind, word }) => ({ kind, word, count: ofKinds(kind).length })),
    lines: worth.slice(0, LINES_SHOWN),
    hidden: Math.max(0, worth.length - LINES_SHOWN),
    seen: [nameOf(vehicles), ...lines.map(markOf)].join(' '),
  };
}

async function planAll(services: Planning, vehicles: readonly GivenVehicle[]): Promise<LinePlan[]> {
  const lines: LinePlan[] = [];
  for (let from = 0; from < vehicles.length; from += PLANNED_AT_ONCE)
    for (const { input: _input, ...line } of await planImport(services, vehicles, { from, to: from + PLANNED_AT_ONCE }))
      lines.push(line);
  return lines;
}

/** The lines that an import leaves out, as a table with their reasons. */
export async function leftOutVehicles(
  services: Planning,
  { vehicles, table, taken }: Pick<ReadVehicles & { ok: true }, 'vehicles' | 'table'> & Pick<Imported, 'taken'>,
): Promise<string> {
  const lines = new Map((await planAll(services, vehicles)).map((line) => [line.line, whyLeft(line, taken)]));
  return leftOutCsv(table, (line) => lines.get(line));
}

/** Undefined: the line is written, or is as it is. */
function whyLeft(line: LinePlan, taken: ReadonlySet<number>): string | undefined {
  if ('note' in line) return noteText(line.note);
  if (line.kind !== 'marked' || taken.has(line.line)) return undefined;
  return [MAY_HAVE_CHANGED, ...line.notes.map(noteText)].join(' ');
}

/** `taken`: the marked lines that somebody ticked. */
type Imported = { vehicles: readonly GivenVehicle[]; seen: string; from: number; taken: ReadonlySet<number> };
export type Block = { next: number | null; added: number; updated: number; left: LineNote[] };

/** Undefined: `seen` is of another file. `from`: the place of the block's first line. */
export async function importBlock(
  services: Services,
  who: SignedIn,
  { vehicles, seen, from, taken }: Imported,
): Promise<Block | undefined> {
  const [name, ...marks] = seen.split(' ');
  if (name !== nameOf(vehicles) || marks.length !== vehicles.length) return undefined;
  const to = Math.min(from + LINES_A_BLOCK, vehicles.length);
  const block: Block = { next: to < vehicles.length ? to : null, added: 0, updated: 0, left: [] };
  const planned = await planImport(services, vehicles, { from, to });
  for (const [place, line] of planned.entries()) {
    const { line: number, rego } = line;
    const leave = (why: string) => void block.left.push({ line: number, rego, why });
    const mark = marks[from + place] ?? '';
    const isNew = mark.startsWith('n') || mark === 's';
    const why = whyLeft(line, taken);
    if (line.kind === 'unchanged') {
      // It was to be written: this block is sent again, as its answer was lost.
      if (isNew) block.added += 1;
      else if (/^[cs]\d/.test(mark)) block.updated += 1;
    } else if (why !== undefined) leave(why);
    else if (markOf(line) !== mark) leave(MEANWHILE);
    else {
      const failed = await write(services, who, { isNew, rego, input: line.input });
      if (failed === undefined) block[isNew ? 'added' : 'updated'] += 1;
      else leave(failed);
    }
  }
  if (block.added > 0) await makeStatistics(services.db, 'outgrown');
  return block;
}

const MEANWHILE = 'Somebody changed it since the preview. Look at it again.';

// Returns why it was not written; undefined if it was.
async function write(
  services: Services,
  who: SignedIn,
  { isNew, rego, input }: { isNew: boolean; rego: string; input: PlannedLine['input'] | undefined },
): Promise<string | undefined> {
  if (input === undefined) return MEANWHILE;
  if (isNew)
    return (await registerVehicle(services, who, { input, choice: NO_FILES, key: undefined })).registered
      ? undefined
      : MEANWHILE;
  const answer = await updateVehicle(services, who, { rego, input, choice: NO_FILES, key: undefined });
  if (answer.updated) return undefined;
  const isShorter = answer.reason === 'axle-group-removed' || answer.reason === 'axle-group-without-reason';
  return isShorter ? `axle_groups: ${TAKEN_AWAY}` : MEANWHILE;
}

// 'n', 'c12': what is done to which version.
const markOf = (line: LinePlan): string =>
  `${LINE_KINDS.find(({ kind }) => kind === line.kind)?.letter ?? ''}${'version' in line ? (line.version ?? '') : ''}`;

const nameOf = (vehicles: readonly GivenVehicle[]): string =>
  createHash('sha256').update(JSON.stringify(vehicles)).digest('base64url').slice(0, 16);
