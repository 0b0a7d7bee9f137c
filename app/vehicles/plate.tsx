// The drawn number plate: white, 372:134, the same in light mode, dark mode and print. The SVG fits the text, so no
// font can overflow it.
import { plateText } from './plate-text.ts';

const WIDTH = 372;
const HEIGHT = 134;
const TEXT_MAX_WIDTH = 320;
const CHARACTER_WIDTH = 47;

/** The large plate, with the state above the text where it is known. */
export function Plate({ rego, state = '' }: { rego: string; state?: string }) {
  const text = plateText(rego);
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className="block h-auto w-full" aria-hidden="true" focusable="false">
      <rect
        x="3"
        y="3"
        width={WIDTH - 6}
        height={HEIGHT - 6}
        rx="14"
        className="fill-plate stroke-plate-ink"
        strokeWidth="6"
      />
      <rect x="48" y="14" width="22" height="8" rx="4" className="fill-plate-ink" opacity=".25" />
      <rect x={WIDTH - 70} y="14" width="22" height="8" rx="4" className="fill-plate-ink" opacity=".25" />
      {state && (
        <text
          x={WIDTH / 2}
          y="34"
          textAnchor="middle"
          fontSize="26"
          fontWeight="600"
          className="fill-plate-ink font-sans"
        >
          {state}
        </text>
      )}
      <text
        x={WIDTH / 2}
        y={state ? 113 : 103}
        textAnchor="middle"
        textLength={Math.min(TEXT_MAX_WIDTH, text.length * CHARACTER_WIDTH)}
        lengthAdjust="spacingAndGlyphs"
        fontSize="84"
        fontWeight="600"
        className="fill-plate-ink font-sans"
      >
        {text}
      </text>
    </svg>
  );
}

/** Longer regos may break, to fit narrow screens. */
const CHIP_WHOLE = 8;

/** The small plate of a table row. */
export function RegoChip({ rego }: { rego: string }) {
  return (
    <span
      className={`inline-block rounded-sm border-2 border-plate-ink bg-plate px-2 text-base font-bold row:max-xl:px-1.5 row:max-xl:text-sm row:max-md:tracking-normal tracking-wider text-plate-ink ${rego.length > CHIP_WHOLE ? 'min-w-16 wrap-anywhere' : 'whitespace-nowrap'}`}
    >
      {rego}
    </span>
  );
}
