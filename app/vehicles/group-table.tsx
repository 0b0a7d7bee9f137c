// The axle groups of a vehicle in its form: which of them carry a sensor, and what is known of each. What is typed
// becomes the two texts of the record (`foldGroups`), so that the form with and without scripts is the same.
import { FieldNote } from '#app/ui/field.tsx';
import { KeepTheirs, useAnswered } from '#app/ui/merged-edits.tsx';
import { AXLES, axleGroupsOf, axlesOfKind, USUAL_AXLES, type Axle } from './axle.ts';
import { detailName, detailsIn, GROUP_PARTS, NO_DETAILS, type GroupDetails, type GroupPart } from './group-details.ts';

const COLUMNS = [
  { part: 'axles', label: 'Axles' },
  { part: 'tyres', label: 'Tyres' },
  { part: 'kg', label: 'Mass, kg' },
  { part: 'sensors', label: 'Sensors' },
  { part: 'output', label: 'Output' },
  { part: 'serial', label: 'Sensor serial' },
] as const;

export function GroupTable({ kind }: { kind: string }) {
  const groups = useAnswered('axle_groups');
  const details = useAnswered('group_details');
  const chosen = axleGroupsOf(groups.text ?? '');
  const known = detailsIn(details.text ?? '');
  const usual = kind === '' ? USUAL_AXLES : axlesOfKind(kind);
  const isShown = (axle: Axle) => usual.includes(axle) || chosen.includes(axle) || known[axle] !== undefined;
  const rows = (axles: readonly Axle[]) =>
    axles.map((axle) => (
      <GroupRow key={axle} axle={axle} isChosen={chosen.includes(axle)} known={known[axle] ?? NO_DETAILS} />
    ));
  const axles = AXLES.map(({ axle }) => axle);
  return (
    <fieldset className="grid min-w-0 gap-2 sm:col-span-2" data-field="axle_groups">
      <legend className="pb-1.5 font-semibold">Axle groups with a sensor</legend>
      <p className="text-sm text-ink-2">
        Only an admin can remove one, with a reason. What is not known may stay so: then no load is advised. The
        reference mass is typed only where the common table has none for these axles and tyres.
      </p>
      <input type="hidden" name="groups_given" value="yes" />
      <div key={`${groups.key} ${details.key}`} className="grid gap-2">
        {rows(axles.filter(isShown))}
        <details>
          <summary className="flex min-h-11 items-center font-semibold text-accent underline underline-offset-3">
            Add a group
          </summary>
          <div className="grid gap-2">{rows(axles.filter((axle) => !isShown(axle)))}</div>
        </details>
      </div>
      {[
        { name: 'axle_groups', label: 'Axle groups', said: groups },
        { name: 'group_details', label: 'Axles and tyres', said: details },
      ].map(({ name, label, said }) => (
        <div key={name}>
          {said.disputed === undefined ? null : <KeepTheirs field={name} label={label} />}
          <FieldNote id={`${name}-note`} error={said.error ?? said.disputed} warning={said.taken} />
        </div>
      ))}
    </fieldset>
  );
}

function GroupRow({ axle, isChosen, known }: { axle: Axle; isChosen: boolean; known: GroupDetails }) {
  const label = AXLES.find((one) => one.axle === axle)?.label ?? axle;
  return (
    <div className="grid grid-cols-2 items-end gap-2 rounded-md border border-line p-3 sm:grid-cols-4 lg:grid-cols-7">
      <label className="flex min-h-11 cursor-pointer items-center gap-2.5 font-semibold max-sm:col-span-2">
        <input
          type="checkbox"
          name="group"
          value={axle}
          defaultChecked={isChosen}
          className="size-5 shrink-0 accent-accent"
        />
        {label}
      </label>
      {COLUMNS.map(({ part, label: heading }) => (
        <label key={part} className="grid min-w-0 gap-1 text-sm">
          <span>
            <span className="sr-only">{`${label}: `}</span>
            {heading}
          </span>
          {part === 'kg' || part === 'serial' ? (
            <input
              name={detailName(axle, part)}
              defaultValue={known[part]}
              inputMode={part === 'kg' ? 'numeric' : 'text'}
              autoComplete="off"
              maxLength={part === 'kg' ? 12 : 80}
              className="field-box"
            />
          ) : (
            <PartSelect name={detailName(axle, part)} part={part} known={known[part]} />
          )}
        </label>
      ))}
    </div>
  );
}

function PartSelect({ name, part, known }: { name: string; part: GroupPart; known: string }) {
  return (
    <select name={name} defaultValue={known} className="field-box">
      <option value="">–</option>
      {GROUP_PARTS[part].map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  );
}
