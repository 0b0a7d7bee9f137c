// The form that takes vehicles from a table: first a preview, which writes nothing, then block after block.
import { requireSignedIn } from '#app/access/session.server.ts';
import { FAILURES } from '#app/forms/failures.ts';
import { TABLE_TEXT_MAX_BYTES } from '#app/forms/read-fields.server.ts';
import { refused, submitReadForm, type Submission } from '#app/forms/submit-form.server.ts';
import { takenLines } from '#app/platform/http/read-table.server.ts';
import { textOfFile } from '#app/platform/http/table-file.server.ts';
import type { ReadTable } from '#app/platform/http/read-workbook.server.ts';
import { servicesContext } from '#app/platform/services/services.server.ts';
import { importBlock, previewImport } from './import-block.server.ts';
import type { ImportAnswer, LineNote } from './import-answer.ts';
import { readVehicles, type ReadVehicles } from './read-vehicles.server.ts';

const LEFT_SHOWN = 200;

/** `from`: undefined for the preview. */
type Input = { table: ReadVehicles & { ok: true }; csv: string; seen: string; from: number | undefined };

export function importAction(submission: Submission) {
  return submitReadForm<Input, 'csv' | 'file', ImportAnswer>(submission, {
    failure: FAILURES.importVehicles,
    textMaxBytes: TABLE_TEXT_MAX_BYTES,
    nothing: 'The lines of this block were not all imported. Press the button again: what is done stays as it is.',
    async read({ fields, files }) {
      const pasted = fields.get('csv') ?? '';
      const file = files.findLast(({ field }) => field === 'file')?.bytes;
      const text: ReadTable = file === undefined ? { ok: true, text: pasted } : await textOfFile(file);
      if (!text.ok) return { ok: false, values: { csv: pasted }, errors: { file: text.message } };
      const read = readVehicles(text.text);
      if (!read.ok) {
        const field = file === undefined ? 'csv' : 'file';
        return { ok: false, values: { csv: pasted }, errors: { [field]: `${read.message}${sheetNote(text)}` } };
      }
      const place = /^\d{1,5}$/.exec(fields.get('from') ?? '')?.[0] ?? 0;
      const isImport = fields.get('step') === 'import' && file === undefined;
      return {
        ok: true,
        values: { csv: text.text },
        input: {
          table: text.sheet === undefined ? read : { ...read, read: { ...read.read, sheet: text.sheet } },
          csv: text.text,
          seen: fields.get('seen') ?? '',
          from: isImport ? Number(place) : undefined,
        },
      };
    },
    async write({ input: { table, csv, seen, from }, form: { fields, all } }) {
      const { vehicles } = table;
      const services = submission.context.get(servicesContext);
      if (from === undefined) return { shown: true, more: { ...(await previewImport(services, table)), csv } };
      const taken = takenLines(all.get('take'));
      const block = await importBlock(services, requireSignedIn(submission.context), { vehicles, seen, from, taken });
      if (block === undefined)
        return refused(409, {
          code: 'preview-outdated',
          sentence: 'The lines are not those of the preview. Nothing was imported. Press ‘Preview’ again.',
        });
      const before = readCounts(fields);
      const left = [...before.left, ...block.left];
      return {
        shown: true,
        more: {
          step: 'import',
          total: vehicles.length,
          next: block.next,
          added: before.added + block.added,
          updated: before.updated + block.updated,
          left: left.slice(0, LEFT_SHOWN),
          hiddenLeft: before.hiddenLeft + Math.max(0, left.length - LEFT_SHOWN),
          seen,
          taken: [...taken],
          csv,
        },
      };
    },
  });
}

// A summary that stands before the table is what was read then.
const sheetNote = ({ sheet }: ReadTable & { ok: true }): string =>
  sheet === undefined || sheet.of === 1 ? '' : ` Sheet “${sheet.name}” was read, the first of ${sheet.of}.`;

// What the blocks before this one did. It travels with the form, and anybody who invents it deceives only themselves.
function readCounts(fields: ReadonlyMap<string, string>) {
  const count = (name: string) => Number(/^\d{1,5}$/.exec(fields.get(name) ?? '')?.[0] ?? 0);
  const left = (fields.get('left') ?? '').split('\n').flatMap((text): LineNote[] => {
    const [, line, rego, why] = /^(\d{1,6}) (\S*) (.+)$/.exec(text) ?? [];
    return line === undefined ? [] : [{ line: Number(line), rego: rego ?? '', why: why ?? '' }];
  });
  return { added: count('added'), updated: count('updated'), hiddenLeft: count('hiddenLeft'), left };
}
