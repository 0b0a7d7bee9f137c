import { renderToString } from 'react-dom/server';
import { createRoutesStub } from 'react-router';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addSeen } from '#test/people.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { NO_FILES, vehicleInput } from '#test/vehicles.ts';
import { registerVehicle } from './register-vehicle.server.ts';
import { SerialConflictList } from './serial-conflict-list.tsx';
import { serialConflicts } from './serial-conflicts.server.ts';

let services: TestServices;
beforeEach(async () => {
  services = await createTestServices();
});
afterEach(() => services.stop());

test('a serial of a unit or of a sensor on two live vehicles is found and shown, and of one vehicle it is not', async () => {
  const admin = await addSeen(services, 'admin', 'mia@registry.example', 'Mia');
  const add = async (rego: string, serial: string, sensors: string) => {
    const input = vehicleInput({ rego, scale_serial_number: serial, group_details: `DRIVE tandem serial:${sensors}` });
    await registerVehicle(services, admin, { input, choice: NO_FILES, key: undefined });
  };
  await add('ONE1', 'AW-1', 'P-1,P_2');
  await add('TWO2', 'AW-1', 'P_2,P-3');
  await add('OTHER3', 'AW-3', 'P-9,P-9');
  await add('GONE4', 'AW-3', 'P-9');
  await services.db.updateTable('vehicle').set({ deletedAt: new Date() }).where('rego', '=', 'GONE4').execute();
  const found = await serialConflicts(services.db, 9);
  expect(found).toEqual([
    { serial: 'AW-1', what: 'unit', regos: ['ONE1', 'TWO2'] },
    { serial: 'P 2', what: 'sensor', regos: ['ONE1', 'TWO2'] },
  ]);
  expect(await serialConflicts(services.db, 1)).toHaveLength(1);
  const Stub = createRoutesStub([{ path: '/', Component: () => <SerialConflictList conflicts={found} /> }]);
  const shown = renderToString(<Stub />);
  expect(shown).toMatch(/P 2[^]*Sensor[^]*href="\/vehicles\/view\/ONE1"[^]*href="\/vehicles\/view\/TWO2"/);
});
