// Which lines of a file a spreadsheet may have changed. Only what a line would write is looked at: a cell that says
// what the registry has is as it was.
import { identifierMark, sameNumberMark, textMark } from '#app/platform/http/spreadsheet-mark.ts';
import { regoMark, type Regos } from '#app/vehicles/rego-mark.server.ts';
import { VEHICLE_FIELDS } from '#app/vehicles/vehicle-fields.ts';
import type { CellNote } from './import-answer.ts';
import type { GivenVehicle } from './read-vehicles.server.ts';

const IDENTIFIERS: readonly string[] = ['vin', 'scale_serial_number'];

/** What is asked about the line. `written`: the fields that it sets. `before`: what is stored of them. */
export function notesOf(
  { rego, cells, asked = [], kept = [] }: GivenVehicle,
  { written, before, regos }: { written: readonly string[]; before: Readonly<Record<string, string>>; regos: Regos },
): CellNote[] {
  const notes = kept.includes('rego') ? [] : noteOf('rego', rego, regoMark(rego, regos));
  for (const { name, kind } of VEHICLE_FIELDS) {
    const text = cells[name] ?? '';
    if (text === '' || !written.includes(name) || kept.includes(name)) continue;
    notes.push(...asked.filter(({ column }) => column === name));
    if (kind !== 'vin' && kind !== 'line' && kind !== 'text') continue;
    const mark = IDENTIFIERS.includes(name) ? identifierMark(text) : textMark(text);
    const isShort = name === 'vin' && /^[1-9]\d{14}0+$/.test(text) ? SHORT_VIN : undefined;
    notes.push(...noteOf(name, text, sameNumberMark(text, before[name] ?? '') ?? isShort ?? mark));
  }
  return notes;
}

const noteOf = (column: string, cell: string, why: string | undefined): CellNote[] =>
  why === undefined ? [] : [{ column, cell, why }];

const SHORT_VIN = 'A VIN that ends in zeros was shortened. On the truck it has 17 letters and digits.';
