// The parts of the vehicle's page for signed-in persons, in a chunk of their own, so that the public never loads them.
export { ChangeHistory, OfficeCard } from './office-card.tsx';
export { OwnVisitNote } from '#app/recording/own-visit-note.tsx';
export { VehicleActions } from './vehicle-actions.tsx';
