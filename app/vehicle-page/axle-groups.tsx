import { Card } from '#app/ui/card.tsx';
import { UnitsPicture } from '#app/vehicles/units-picture.tsx';
import type { ShownGroups } from './axle-groups.server.ts';

export function AxleGroups({ groups: { aside, picture, rows, foot } }: { groups: ShownGroups }) {
  return (
    <div className="no-print">
      <Card title="Axle groups" id="groups" aside={<span className="text-sm text-ink-3">{aside}</span>}>
        <UnitsPicture picture={picture} />
        <ul className="*:border-t *:border-line *:px-5 *:py-2.5 max-row:*:px-4">
          {rows.map(({ label, mass, words, held }) => (
            <li key={label}>
              <p className="flex justify-between gap-4 font-bold">
                {label}
                {mass && <span>{mass}</span>}
              </p>
              <p className="text-ink-2">{words}</p>
              {held && <p>{held}</p>}
            </li>
          ))}
        </ul>
        <p className="border-t border-line px-5 py-2.5 text-sm text-ink-2 max-row:px-4">{foot}</p>
      </Card>
    </div>
  );
}
