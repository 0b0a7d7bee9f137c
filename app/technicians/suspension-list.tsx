import { suspensionWords, type Suspended } from '#app/people/good-standing.ts';
import type { Suspension } from './queries.server.ts';

type ShownSuspension = Omit<Suspension, 'at' | 'endedAt'> & { at: string; endedAt: string | null };

/** Every suspension of a technician, with why, by whom and when: for admins. */
export function SuspensionList({ suspensions }: { suspensions: readonly ShownSuspension[] }) {
  return (
    <ul className="px-5 py-2">
      {suspensions.map((suspension) => (
        <li key={suspension.id} className="border-b border-line py-2.5 wrap-anywhere last:border-b-0">
          <p className="font-semibold">{titleOf(suspension)}</p>
          {suspension.reason === '' ? null : <p>{suspension.reason}</p>}
          <p className="text-ink-2">{`By ${suspension.by}, ${suspension.at}`}</p>
          {suspension.endedBy === null ? null : (
            <p className="text-ink-2">{`Lifted by ${suspension.endedBy}, ${suspension.endedAt ?? ''}`}</p>
          )}
        </li>
      ))}
    </ul>
  );
}

// Lifted from its first day on, it has no day.
const titleOf = (suspension: Suspended): string =>
  suspension.to !== null && suspension.to < suspension.from
    ? `${suspensionWords({ from: suspension.from, to: null })}, and lifted from that day on`
    : suspensionWords(suspension);
