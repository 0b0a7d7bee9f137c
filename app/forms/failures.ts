import { PUBLIC_FAILURES } from './public-failures.ts';

/** The first words of each form's failure: those of the specification's error catalogue, then those of other forms. */
export const FAILURES = {
  ...PUBLIC_FAILURES,
  deletion: 'Error deleting item:',
  calibration: 'Error added item:',
  addVehicle: 'Error adding vehicle:',
  updateVehicle: 'Error updating vehicle:',
  addAdmin: 'Error adding Admin:',
  approve: 'Error adding technician:',
  profile: 'Error:',
  correction: 'Error correcting item:',
  restore: 'Error restoring item:',
  validation: 'Error validating item:',
  erasure: 'Error erasing:',
  policy: 'Error changing policy:',
  addReference: 'Error adding weighbridge:',
  updateReference: 'Error updating weighbridge:',
  addVerification: 'Error adding verification:',
  withdrawVerification: 'Error withdrawing verification:',
  addRepair: 'Error noting repair:',
  importReferences: 'Error importing weighbridges:',
  password: 'Error setting the password:',
  secondFactor: 'Error changing the second factor:',
  sessions: 'Error ending sessions:',
} as const;
