// One reading of a calibration: an axle, an attribute, and the value exactly as entered.

/** In the order of the history's columns. Volts in V, weights in kg. */
export const CALIBRATION_ATTRIBUTES = [
  { attribute: 'Empty Volt', unit: 'V' },
  { attribute: 'Empty Weight', unit: 'kg' },
  { attribute: 'Loaded Volt', unit: 'V' },
  { attribute: 'Loaded Weight', unit: 'kg' },
] as const;
export type CalibrationAttribute = (typeof CALIBRATION_ATTRIBUTES)[number]['attribute'];
export type Unit = (typeof CALIBRATION_ATTRIBUTES)[number]['unit'];

export function unitOf(attribute: string): Unit {
  return attribute.endsWith('Volt') ? 'V' : 'kg';
}

/** The fields of forms and lines that hold them. */
export const READING_FIELD = {
  'Empty Volt': 'empty_volt',
  'Empty Weight': 'empty_weight',
  'Loaded Volt': 'loaded_volt',
  'Loaded Weight': 'loaded_weight',
} as const satisfies Record<CalibrationAttribute, string>;

/** The axles as the specification spells them. They are stored in upper case. */
export const AXLE_WORDS = ['steer', 'drive', 'trailerA', 'trailerB'] as const;

/** A number of this unit, as an example. */
export const exampleOf = (unit: Unit): string => (unit === 'V' ? '3.18' : '15640');

/** The value with thousands separators and every digit as entered. 'N/A' for an imported entry without a value. */
export function formatValue(value: string): string {
  if (value === '') return 'N/A';
  const [whole = '', fraction] = value.split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/** A calibration id from a URL, in milliseconds; undefined if the text is not an id. */
export function parseCalibrationId(text: string): number | undefined {
  return /^(0|[1-9]\d{0,15})$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : undefined;
}
