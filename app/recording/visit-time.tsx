// When the visit was: the time is asked, not offered, and whose clock it is stands beside it. A ticket's time is the
// place's.
import { useState } from 'react';
import { formatClocks, instantAt, isDay, zoneCity } from '#app/platform/time/calendar.ts';
import { TextField, type FieldProps } from '#app/ui/field.tsx';
import { useIsHydrated } from '#app/ui/use-is-hydrated.ts';

type Asked = Pick<FieldProps, 'name' | 'defaultValue' | 'error' | 'warning'>;

/** `place`: the zone of the weighbridge, where it is one of the register; `zone`: the registry's. */
export function VisitTime({
  day,
  time,
  restored,
  place,
  zone,
}: {
  day: Asked;
  time: Asked;
  restored: ReadonlyMap<string, string> | undefined;
  place: string | undefined;
  zone: string;
}) {
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const isHydrated = useIsHydrated();
  const clock = place ?? zone;
  const valueOf = ({ name, defaultValue = '' }: Asked) => typed[name] ?? restored?.get(name) ?? defaultValue;
  const note = ({ currentTarget: { name, value } }: React.FormEvent<HTMLInputElement>) =>
    setTyped((before) => ({ ...before, [name]: value }));
  const whose = place === undefined ? 'the clock of this registry' : 'the clock of the weighbridge';
  const said = echo({ day: valueOf(day), time: valueOf(time) }, clock, zone);
  return (
    <>
      <TextField {...day} label="Date of the visit" type="date" required onInput={note} />
      <TextField
        {...time}
        label="Time of the visit"
        hint={`${zoneCity(clock)} time: ${whose}.${said === '' ? '' : ` ${said}`}`}
        type="time"
        required
        onInput={note}
      />
      {/* Without scripts the zone is not known before the weighbridge is: then the server finds it. */}
      <input type="hidden" name="visit_zone" value={isHydrated ? clock : ''} />
    </>
  );
}

// Where the two clocks differ, what was typed by both of them.
function echo({ day, time }: { day: string; time: string }, clock: string, zone: string): string {
  if (clock === zone || !isDay(day) || !/^\d\d:\d\d$/.test(time)) return '';
  return `${formatClocks(instantAt(day, time, clock), clock, zone)}.`;
}
