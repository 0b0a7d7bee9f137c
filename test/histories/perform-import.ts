// The import of one truck, as an operation of a history.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { importExport } from '#app/import/import-export.server.ts';
import { ExportError } from '#app/import/read-export.server.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import type { VehicleOperation } from './operation.ts';
import type { Answer } from './perform.ts';

type Import = Extract<VehicleOperation, { do: 'import' }>;

export async function importOne({ db, files, config, now }: Services, { rego, edition }: Import): Promise<Answer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'history-'));
  const file = path.join(folder, 'export.json');
  try {
    await writeFile(file, JSON.stringify({ Vehicles: { [rego]: exported(rego, edition) } }));
    await importExport({
      db,
      files,
      file,
      timeZone: config.timeZone,
      bucket: undefined,
      dryRun: false,
      now,
      print: () => {},
      progress: () => {},
    });
    return { outcome: { imported: true } };
  } catch (error) {
    if (error instanceof ExportError) return { outcome: { imported: false, reason: 'busy' } };
    throw error;
  } finally {
    await rm(folder, { recursive: true });
  }
}

const exported = (rego: string, { mark, dueOn, readings }: Import['edition']) => ({
  rego,
  make: mark,
  calibration_validated: true,
  next_calibration_due: dueOn,
  calibrations: Object.fromEntries(
    readings.map(({ id, axle, attribute, value, dueOn: due }) => [
      id,
      {
        axle_type: axle,
        calibration_attribute: attribute,
        calibration_value: value,
        calibration_due_date: due,
      },
    ]),
  ),
});
