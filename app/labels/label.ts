// The label on a truck: its words, and the place of each piece on 100 × 50 mm.

export const LABEL = { width: 100, height: 50 } as const;
/** More labels than a sheet feeder takes, and made before a browser gives up waiting. */
export const LABELS_MAX = 200;

export type LabelFacts = {
  rego: string;
  /** The text on the plate, with its state where that is known. */
  plate: string;
  vin: string;
  /** The month of the due date as recorded, 'May 2027'; null: none is recorded. */
  dueMonth: string | null;
  registryName: string;
  /** The address of the live page. */
  address: string;
};

export type Weight = 'bold' | 'regular';
/** All lengths in millimetres. `y`: the baseline of a text. `width`: as measured, so that no font overflows. */
export type LabelPiece = { text: string; x: number; y: number; size: number; weight: Weight; width: number };
export type Measure = (text: string, size: number, weight: Weight) => number;

const LEFT = 5;
const TEXT_WIDTH = 46;
/** Includes the quiet zone of four modules that ISO/IEC 18004 requires. */
export const QR_BOX = { x: 53, y: 4, size: 42 } as const;
export const QUIET_MODULES = 4;

/** The label's lines. A line that does not fit at its own size gets the largest size at which it fits. */
export function layOutLabel(facts: LabelFacts, measure: Measure): LabelPiece[] {
  const line = (text: string, y: number, { size, weight }: { size: number; weight: Weight }): LabelPiece => {
    const full = measure(text, size, weight);
    const fitted = full <= TEXT_WIDTH ? size : (size * TEXT_WIDTH) / full;
    return { text, x: LEFT, y, size: fitted, weight, width: Math.min(full, TEXT_WIDTH) };
  };
  return [
    line(facts.registryName, 8.5, { size: 3.4, weight: 'bold' }),
    line(facts.plate, 21.5, { size: 13, weight: 'bold' }),
    line(facts.vin === '' ? 'No VIN recorded' : `VIN … ${facts.vin.slice(-6)}`, 28, { size: 4, weight: 'regular' }),
    line('Next calibration due', 34.5, { size: 3.2, weight: 'regular' }),
    line(facts.dueMonth ?? 'none recorded', 40, { size: 5.4, weight: 'bold' }),
    line('Scan to see whether it is valid today', 45.5, { size: 2.6, weight: 'regular' }),
  ];
}

/** The label as one sentence, for people who do not see it. */
export function labelSentence(facts: LabelFacts): string {
  const vin = facts.vin === '' ? 'no VIN recorded' : `VIN ending in ${facts.vin.slice(-6)}`;
  return `${facts.registryName}: ${facts.plate}, ${vin}, next calibration due ${facts.dueMonth ?? 'none recorded'}. The code leads to ${facts.address}`;
}
