// What is known of each axle group of a vehicle: axles, tyres, a reference mass that somebody typed, sensors, output,
// and serials of sensors, which only signed-in people see.
// Stored as one text, which the CSV carries too: 'DRIVE tandem dual-tyres; TRAILERA quad dual-tyres 24000kg'. What
// nobody said is not in it: all that older vehicles have is unknown.
import { AXLES, axleLabel, isAxle, type Axle } from './axle.ts';
import { OUTPUTS, type Output } from './outputs.ts';

const isOutput = (text: string): text is Output => OUTPUTS.some((known) => known === text);
/** In what a group's sensor speaks, as its record or a form has it. */
export const outputOf = (details: { output: string } | undefined): Output =>
  details !== undefined && isOutput(details.output) ? details.output : 'V';

/** The words of each part of a group, in the order of the text. A group has at most one of each. */
export const GROUP_PARTS = {
  axles: [
    { value: 'single', label: 'Single' },
    { value: 'twin-steer', label: 'Twin steer' },
    { value: 'tandem', label: 'Tandem' },
    { value: 'tri', label: 'Tri' },
    { value: 'quad', label: 'Quad' },
  ],
  tyres: [
    { value: 'single-tyres', label: 'Single' },
    { value: 'dual-tyres', label: 'Dual' },
    { value: 'wide-tyres', label: 'Wide single' },
    { value: 'mixed-tyres', label: 'Mixed' },
  ],
  sensors: [
    { value: 'one-sensor', label: 'One' },
    { value: 'left-right', label: 'Left and right' },
    { value: 'no-sensor', label: 'None' },
  ],
  output: OUTPUTS.map((value) => ({ value, label: value })),
} as const;
export type GroupPart = keyof typeof GROUP_PARTS;
export const PARTS = ['axles', 'tyres', 'sensors', 'output'] as const satisfies readonly GroupPart[];

/**
 * `kg`: the reference mass as typed. '': not known; of sensors one, of the output V. `serial`: of its sensor, of a left
 * and a right one with a comma between.
 */
export type GroupDetails = Record<GroupPart | 'kg' | 'serial', string>;
export type Details = Partial<Record<Axle, GroupDetails>>;

export const NO_DETAILS: GroupDetails = { axles: '', tyres: '', sensors: '', output: '', kg: '', serial: '' };
export const REFERENCE_KG = { least: 1000, most: 60_000 };

/** The groups of a stored text, or of one that is typed: what is no word of a group is left out. */
export function detailsIn(text: string): Details {
  const details: Details = {};
  for (const { axle, words } of groupsOf(text))
    if (axle !== undefined) details[axle] = words.reduce((known, word) => ({ ...known, ...partOf(word) }), NO_DETAILS);
  return details;
}

const groupsOf = (text: string) =>
  text.split(';').flatMap((group) => {
    const [name = '', ...words] = group.trim().split(/\s+/);
    return name === '' ? [] : [{ name, axle: isAxle(name) ? name : undefined, words }];
  });

function partOf(word: string): Partial<GroupDetails> {
  const part = PARTS.find((one) => GROUP_PARTS[one].some(({ value }) => value === word));
  if (part !== undefined) return { [part]: word };
  if (word.startsWith(SERIAL)) return { serial: word.slice(SERIAL.length).replaceAll('_', ' ') };
  return word.endsWith('kg') ? { kg: word.slice(0, -2) } : {};
}

const SERIAL = 'serial:';
/** Letters, digits and marks, without what divides the text. */
const SERIAL_TEXT = /^[A-Za-z0-9.,/()#+ -]{1,80}$/;

/** The text of `detailsIn`, for everybody. */
export const withoutSerials = (text: string): string => text.replaceAll(/ serial:[^; ]*/g, '');

/** The text of `detailsIn`, without what is not known. */
export function detailsText(details: Details): string {
  return AXLES.flatMap(({ axle }) => {
    const { kg, axles, tyres, sensors, output, serial } = details[axle] ?? NO_DETAILS;
    const words = [axles, tyres, kg === '' ? '' : `${kg}kg`, sensors === 'one-sensor' ? '' : sensors];
    const numbered = serial === '' ? '' : `${SERIAL}${serial.replaceAll(' ', '_')}`;
    const known = [...words, output === 'V' ? '' : output, numbered].filter(Boolean);
    return known.length === 0 ? [] : [[axle, ...known].join(' ')];
  }).join('; ');
}

/** Why a text is none of `detailsText`; undefined where it is one. */
export function detailsRefusal(text: string): string | undefined {
  for (const { name, axle, words } of groupsOf(text)) {
    if (axle === undefined) return `${name.slice(0, 20)} is no axle group.`;
    for (const word of words) {
      const { kg, ...part } = partOf(word);
      if (part.serial !== undefined && !SERIAL_TEXT.test(part.serial))
        return `${axleLabel(axle)}: a sensor’s serial has letters, digits and - . / only.`;
      if (kg !== undefined && !isReferenceKg(kg))
        return `${axleLabel(axle)}: enter the reference mass in whole kilograms, from 1,000 to 60,000.`;
      if (kg === undefined && Object.keys(part).length === 0)
        return `${axleLabel(axle)}: ${word.slice(0, 20)} is not known.`;
    }
  }
  return undefined;
}

const isReferenceKg = (kg: string): boolean =>
  /^\d{4,5}$/.test(kg) && Number(kg) >= REFERENCE_KG.least && Number(kg) <= REFERENCE_KG.most;

const AXLE_WORDS: Readonly<Record<string, string>> = {
  single: 'Single axle',
  'twin-steer': 'Twin steer',
  tri: 'Tri-axle',
};

const SENSORS: Readonly<Record<string, string>> = {
  'left-right': 'sensors left and right',
  'no-sensor': 'no sensor',
};

/** 'Tandem, dual tyres'; 'Axles not known'. */
export function detailsWords({ axles, tyres, sensors, output }: GroupDetails): string {
  const of = (part: GroupPart, text: string) => GROUP_PARTS[part].find(({ value }) => value === text)?.label ?? '';
  const words = [
    axles === '' ? 'Axles not known' : (AXLE_WORDS[axles] ?? of('axles', axles)),
    tyres === '' ? '' : `${of('tyres', tyres).toLowerCase()} tyres`,
    SENSORS[sensors] ?? '',
    output === '' || output === 'V' ? '' : `output in ${output}`,
  ];
  return words.filter(Boolean).join(', ');
}

/** The text as people read it, group by group. */
export const detailsInWords = (text: string): string =>
  Object.entries(detailsIn(text))
    .flatMap(([axle, known]) => {
      const kg = known.kg === '' ? '' : `, reference mass ${known.kg} kg (typed)`;
      return isAxle(axle) ? [`${axleLabel(axle)}: ${detailsWords(known)}${kg}`] : [];
    })
    .join('; ');

/** `text` with what is said of groups of which nothing was known. What is known changes on the vehicle's own form. */
export function addDetails(text: string, said: Details): string {
  const all = { ...said, ...detailsIn(text) };
  for (const { axle } of AXLES) {
    const [known, { sensors = '', output = '' } = {}] = [all[axle], said[axle]];
    // Asked by themselves, also where the axles are known.
    if (known !== undefined && known.sensors === '' && known.output === '') all[axle] = { ...known, sensors, output };
  }
  return detailsText(all);
}

/** The names of a group's parts in forms. */
export const detailName = (axle: Axle, part: keyof GroupDetails): string => `${axle}_${part}`;

// The trucks that most are like, each with what is known of its groups: one tap in place of a dozen.
export const USUAL_TRUCKS = [
  {
    value: 'semi',
    label: 'Single steer, tandem drive, tri-axle trailer',
    details: 'STEER single; DRIVE tandem dual-tyres; TRAILERA tri dual-tyres',
  },
  { value: 'rigid', label: 'Rigid, 2 axles', details: 'STEER single; DRIVE single dual-tyres' },
  { value: 'rigid-8x4', label: 'Rigid, twin steer, tandem', details: 'STEER twin-steer; DRIVE tandem dual-tyres' },
  {
    value: 'rigid-dog',
    label: 'Rigid and dog',
    details: 'STEER single; DRIVE tandem dual-tyres; DOLLYA tandem dual-tyres; TRAILERA tandem dual-tyres',
  },
  {
    value: 'b-double',
    label: 'B-double',
    details: 'STEER single; DRIVE tandem dual-tyres; TRAILERA tri dual-tyres; TRAILERB tri dual-tyres',
  },
] as const;

const usualTruck = (value: string) => USUAL_TRUCKS.find((one) => one.value === value);

/** The groups of a usual truck; none of another. */
export const usualGroups = (value: string): Details => detailsIn(usualTruck(value)?.details ?? '');

/** The name of the choice among USUAL_TRUCKS, and what a group's tile 'Not known' sends. */
export const USUAL_TRUCK = 'usual_truck';
export const UNKNOWN = 'unknown';

/**
 * What a form says of `axles`, each group by itself before the whole truck. Blanks of a mass are left out; what else is
 * wrong in it stays, to be refused.
 */
export function detailsOfForm(axles: readonly Axle[], text: (name: string) => string): Details {
  const details: Details = {};
  const usual = usualGroups(text(USUAL_TRUCK));
  for (const axle of axles) {
    const part = (name: GroupPart) => {
      const given = text(detailName(axle, name)) || (usual[axle]?.[name] ?? '');
      return GROUP_PARTS[name].some(({ value }) => value === given) ? given : '';
    };
    const kg = text(detailName(axle, 'kg')).replaceAll(/[\s,;]|kg$/g, '');
    details[axle] = {
      axles: part('axles'),
      tyres: part('tyres'),
      sensors: part('sensors'),
      output: part('output'),
      kg,
      serial: text(detailName(axle, 'serial'))
        .trim()
        .replaceAll(/[\s;_]+/g, ' '),
    };
  }
  return details;
}
