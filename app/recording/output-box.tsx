// What a group's sensor says at one load: of one sensor, or of a left and a right one. Where the form still asks which,
// both are there and the tile that is chosen shows one of them, without scripts too.
import { readNumber } from '#app/platform/http/entered-number.ts';
import { formatValue } from '#app/readings/calibration.ts';
import { meanOf } from '#app/readings/grid-outputs.ts';
import { SIDES, sideName } from '#app/readings/sides.ts';
import type { Output } from '#app/vehicles/outputs.ts';
import { useState } from 'react';
import { NumberBox } from './number-box.tsx';

type Words = Readonly<Record<string, string | undefined>>;

const SHOWN = {
  one: 'group-has-[[value=left-right]:checked]:hidden group-has-[[value=no-sensor]:checked]:hidden',
  two: 'hidden group-has-[[value=left-right]:checked]:grid',
};

export function OutputBox({
  prefix,
  name,
  value,
  error,
  warning,
  label,
  reading,
  unit,
  sensors,
  words: { values, errors, warnings },
}: {
  prefix: string;
  /** With the prefix. */
  name: string;
  value: string | undefined;
  error: string | undefined;
  warning: string | undefined;
  /** Of the group. */
  label: string;
  reading: string;
  unit: Output;
  /** As known of the group, or `asked`: the form's own tiles say it. */
  sensors: string;
  words: { values: Words; errors: Words; warnings: Words };
}) {
  const own = name.slice(prefix.length);
  const [mean, setMean] = useState('');
  const isAsked = sensors === 'asked';
  const labelled = (text: string) => (
    <>
      <span className="sr-only">{`${label}: `}</span>
      <span className="max-row:text-sm">{text}</span>
    </>
  );
  if (sensors === 'no-sensor') return null;
  const one = <NumberBox {...{ name, value, error, warning, unit }} label={labelled(reading)} look="large" />;
  if (!isAsked && sensors !== 'left-right') return one;
  const two = SIDES.map((side) => (
    <NumberBox
      key={side}
      name={sideName(name, side)}
      value={values[sideName(own, side)]}
      error={errors[sideName(own, side)]}
      warning={warnings[sideName(own, side)]}
      label={labelled(`${reading}, ${side}`)}
      unit={unit}
      look="large"
    />
  ));
  return (
    <>
      {isAsked ? <div className={SHOWN.one}>{one}</div> : null}
      <div
        className={`col-span-2 grid-cols-2 items-start gap-x-4 ${isAsked ? SHOWN.two : 'grid'}`}
        onInput={({ currentTarget }) => {
          const read = [...currentTarget.querySelectorAll('input')].map((box) => readNumber(box.value, '', unit));
          const [left, right] = read.flatMap((entered) => (entered.ok ? [entered.value] : []));
          setMean(right === undefined ? '' : meanOf(left ?? '', right));
        }}
      >
        {two}
        {mean === '' ? null : (
          <p className="col-span-2 text-sm text-ink-2">
            The line uses the mean, <b>{`${formatValue(mean)} ${unit}`}</b>.
          </p>
        )}
      </div>
    </>
  );
}
