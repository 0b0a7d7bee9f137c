// The scale's system over time, as visits that count found and left it.
import { formatDay } from '#app/platform/time/calendar.ts';
import type { CalibrationSet } from '#app/readings/queries.server.ts';
import type { VehicleFact } from '#app/vehicles/present-facts.ts';

type Counting = { id: string; isCounting: boolean; visitedOn: string };
type Sets = readonly Pick<CalibrationSet, 'id' | 'firmware' | 'settingsLocked' | 'sealsLeft'>[];

/** How many of a firmware's changes are named. */
const CHANGES_SHOWN = 3;

/**
 * `facts` with the firmware as it was read, and what the last visit that says it left. `visits`: the newest first.
 * `from`: since when they are all there; null: from the beginning.
 */
export function withSystem(
  facts: readonly VehicleFact[],
  { visits, sets, from }: { visits: readonly Counting[]; sets: Sets; from: Date | null },
): VehicleFact[] {
  const told = visits
    .filter(({ isCounting }) => isCounting)
    .flatMap(({ id, visitedOn }) => sets.filter((set) => set.id === id).map((set) => ({ ...set, visitedOn })));
  const read = told.filter(({ firmware }) => firmware !== '').toReversed();
  const changes = read.filter(({ firmware }, place) => firmware !== read[place - 1]?.firmware).toReversed();
  const firmware = changes
    .slice(0, CHANGES_SHOWN)
    .map((one) => {
      const word = from !== null && one === read[0] ? 'by' : 'since';
      return `${one.firmware} ${word} ${formatDay(one.visitedOn, 'short')}`;
    })
    .join('; ');
  const locked = told.find(({ settingsLocked }) => settingsLocked !== '')?.settingsLocked;
  const seals = told.find(({ sealsLeft }) => sealsLeft !== '')?.sealsLeft;
  const line = (label: string, value: string | undefined): VehicleFact[] =>
    value === undefined || value === '' ? [] : [{ label, value, kind: 'line' }];
  return [
    ...facts.filter(({ label }) => firmware === '' || label !== 'Firmware'),
    ...line('Firmware', firmware),
    ...line('Settings', locked === undefined ? locked : { yes: 'Locked', no: 'Not locked' }[locked]),
    ...line('Seals left', seals),
  ];
}
