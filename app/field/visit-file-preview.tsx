// What a visit's file says, before it is put into the outbox; and the question to the one who sends it for somebody
// else.
import { SIDES, sideName } from '#app/readings/sides.ts';
import { gridsOf, nameOf, READING_FIELDS } from '#app/readings/set-grid.ts';
import { detailName } from '#app/vehicles/group-details.ts';
import { factText, VISIT_FACTS, type VisitFact } from '#app/readings/visit-fact.ts';
import { weighingsText } from '#app/readings/weighings.ts';
import { weighingsTyped } from '#app/readings/weighings-entry.ts';
import { formatDay, formatInstant, isDay, zoneCity } from '#app/platform/time/calendar.ts';
import { FactList } from '#app/ui/fact-list.tsx';
import { AXLES, axleGroupsText, axleLabel, isAxle } from '#app/vehicles/axle.ts';
import { RegoChip } from '#app/vehicles/plate.tsx';
import type { VisitOfFile } from './visit-file.ts';

type Props = {
  visit: VisitOfFile;
  zone: string;
  isOwn: boolean;
  onKeep: (wasThere: 'yes' | 'no' | null) => void;
  onCancel: () => void;
};

export function VisitFilePreview({ visit, zone, isOwn, onKeep, onCancel }: Props) {
  const { rego, vin, capturedBy, capturedAt, fields, photos } = visit;
  const value = (wanted: string) => fields.find(([name]) => name === wanted)?.[1] ?? '';
  const day = value('visit_date');
  const clock = value('visit_zone') || zone;
  const axles = fields.flatMap(([name, axle]) => (name === 'axle' && isAxle(axle) ? [axle] : []));
  const [grid] = gridsOf(value, (wanted) => fields.flatMap(([name, text]) => (name === wanted ? [text] : [])));
  const typed = (fact: VisitFact) => {
    if (fact.kind === 'weighings') return grid === undefined ? '' : weighingsText(weighingsTyped(grid.weighed));
    return fact.kind === 'axle groups'
      ? axleGroupsText(AXLES.flatMap(({ axle }) => (value(nameOf(axle, fact.field)) === 'yes' ? [axle] : [])))
      : value(fact.field);
  };
  const answers = isOwn
    ? ([[null, 'Put it into my outbox', 'primary']] as const)
    : ([
        ['yes', 'Yes, I was there', 'primary'],
        ['no', 'No, I only send it', 'secondary'],
      ] as const);
  return (
    <section className="card grid gap-3" aria-label={`The file’s visit to ${rego}`}>
      <div className="px-5 pt-5">
        <RegoChip rego={rego} />
      </div>
      <FactList
        facts={[
          { label: 'Captured by', value: `${capturedBy.name}, ${formatInstant(new Date(capturedAt), zone)}` },
          { label: 'VIN', value: vin },
          { label: 'Visit', value: `${isDay(day) ? formatDay(day) : day} ${value('visit_time')} ${zoneCity(clock)}` },
          ...axles.map((axle) => ({
            label: axleLabel(axle),
            value: READING_FIELDS.map(({ field, label, unit }) => {
              const name = nameOf(axle, field);
              const shown = grid?.text(name) || SIDES.map((side) => value(sideName(name, side))).join('/');
              return `${label} ${shown} ${unit === 'V' ? value(detailName(axle, 'output')) || unit : unit}`;
            }).join(', '),
          })),
          { label: 'Due date', value: value('due_date') },
          ...VISIT_FACTS.map((fact) => ({ label: fact.label, value: factText(fact, typed(fact)) })),
          { label: 'Notes', value: value('notes') },
          { label: 'Photos', value: String(photos.length) },
        ]}
      />
      <div className="grid gap-3 border-t border-line p-5">
        {isOwn ? null : (
          <p>
            <b>Were you there, and read rego and VIN?</b> If not, the visit waits for an administrator, as captured by
            one and sent by another.
          </p>
        )}
        <div className="flex flex-wrap gap-3">
          {answers.map(([answer, words, look]) => (
            <button key={words} type="button" className={`button-look button-${look}`} onClick={() => onKeep(answer)}>
              {words}
            </button>
          ))}
          <button type="button" className="button-look button-secondary" onClick={onCancel}>
            Cancel
          </button>
        </div>
      </div>
    </section>
  );
}
