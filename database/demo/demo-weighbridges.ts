// The register of weighbridges of the demo. The towns are real; the weighbridges, their operators, licences and
// certificates are invented.
import { addDays } from '#app/platform/time/calendar.ts';
import { type State, twelveMonthsFrom } from '#app/references/reference.ts';

type DemoWeighbridge = {
  name: string;
  place: string;
  state: State;
  latitude: string;
  longitude: string;
  operator: string;
  capacity_kg: string;
  interval_kg: string;
  licence: string;
  /** Days from today to the first day of each verification. A verification covers 12 months, unless the next begins earlier. */
  verified: readonly number[];
  repaired?: { daysAgo: number; note: string };
};

export const EXPIRED = 'Pelican Reach weighbridge';
export const REPAIRED = 'Magpie Flat weighbridge';
export const WITHDRAWN = 'Galah Ridge weighbridge';

export const DEMO_WEIGHBRIDGES: readonly DemoWeighbridge[] = [
  weighbridge('Blue Wren', 'Wallan', 'VIC', ['-37.4162', '144.9793'], ['80000', '20', 'PW-3104'], [-512, -149]),
  weighbridge('Red Gum', 'Swan Hill', 'VIC', ['-35.3378', '143.5544'], ['70000', '20', 'PW-3277'], [-402, -38]),
  weighbridge('Banksia Road', 'Dandenong South', 'VIC', ['-38.0151', '145.2304'], ['60000', '10', ''], [-270]),
  weighbridge('Lyrebird', 'Wagga Wagga', 'NSW', ['-35.1082', '147.3598'], ['80000', '20', 'PW-2051'], [-455, -92]),
  {
    ...weighbridge(
      'Magpie Flat',
      'Singleton',
      'NSW',
      ['-32.5695', '151.1788'],
      ['80000', '20', 'PW-2118'],
      [-331, -98],
    ),
    repaired: { daysAgo: 103, note: 'Load cell 3 and its junction box replaced.' },
  },
  weighbridge('Galah Ridge', 'Toowoomba', 'QLD', ['-27.5598', '151.9507'], ['80000', '20', 'PW-4426'], [-489, -124]),
  weighbridge('Brolga Plains', 'Emerald', 'QLD', ['-23.5235', '148.1618'], ['120000', '50', 'PW-4431'], [-211]),
  weighbridge(
    'Pelican Reach',
    'Murray Bridge',
    'SA',
    ['-35.1199', '139.2758'],
    ['60000', '20', 'PW-5090'],
    [-769, -406],
  ),
  weighbridge('Spinifex', 'Karratha', 'WA', ['-20.7364', '116.8463'], ['140000', '50', 'PW-6012'], [-300]),
  weighbridge('Wombat Creek', 'Brighton', 'TAS', ['-42.6993', '147.2514'], ['60000', '20', ''], [-388, -24]),
  weighbridge('Wedgetail', 'Katherine', 'NT', ['-14.4652', '132.2635'], ['120000', '50', 'PW-0817'], [-347]),
  weighbridge('Currawong', 'Fyshwick', 'ACT', ['-35.3277', '149.1716'], ['', '', ''], [-60]),
];

/** The verifications, oldest first, with both days. */
export function verificationsOf(
  { name, verified }: DemoWeighbridge,
  today: string,
): { certificateNumber: string; fromOn: string; toOn: string }[] {
  const stem = name.slice(0, 2).toUpperCase();
  return verified.map((from, place) => {
    const fromOn = addDays(today, from);
    const next = verified[place + 1];
    const whole = twelveMonthsFrom(fromOn);
    const before = next === undefined ? whole : addDays(today, next - 1);
    return {
      certificateNumber: `V${stem}-${String(4107 + place * 612 - from)}`,
      fromOn,
      toOn: before < whole ? before : whole,
    };
  });
}

function weighbridge(
  name: string,
  place: string,
  state: State,
  [latitude, longitude]: [string, string],
  [capacity_kg, interval_kg, licence]: [string, string, string],
  verified: readonly number[],
): DemoWeighbridge {
  return {
    name: `${name} weighbridge`,
    place,
    state,
    latitude,
    longitude,
    operator: `${name} Weighing`,
    capacity_kg,
    interval_kg,
    licence,
    verified,
  };
}
