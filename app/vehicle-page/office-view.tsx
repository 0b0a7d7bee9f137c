// What the vehicle's page has for people signed in: a part of its own, so that the public never loads it.
export { ChangeHistory, OfficeCard } from './office-card.tsx';
export { VehicleActions } from './vehicle-actions.tsx';
