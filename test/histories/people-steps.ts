// The steps of a program that are about people, as one client takes them.
import { addDays } from '#app/platform/time/calendar.ts';
import type { PeopleStep } from './program.ts';
import type { ClientTools } from './run-program.ts';

/** The suspensions that there have been, by address: anybody who lifts one chooses among them. */
export type Suspensions = Map<string, { id: string; mark: string }[]>;

/** The removals of admins that a client has seen open, by address. */
export type Removals = Map<string, { email: string; id: string }>;

export function peopleSteps(
  tools: ClientTools,
  suspensions: Suspensions,
  removals: Removals,
): (step: PeopleStep) => Promise<void> {
  const { call, nameNext, newKey, stage, today } = tools;
  const { applicants, cast } = stage;

  const suspend = async (email: string, days: number, times = 1): Promise<void> => {
    // The reason names it: no other history has this one.
    const mark = newKey();
    const { id } = await call({ do: 'suspend', email, from: addDays(today, days), mark, key: mark }, times);
    if (id !== undefined) suspensions.set(email, [...(suspensions.get(email) ?? []), { id, mark }]);
  };

  const profiles = new Map<string, number>();
  return async ({ what, on, pick, fresh, twice }) => {
    const applicant = applicants[on % applicants.length] ?? '';
    const [email, recordId] = [...cast.admins][on % cast.admins.size] ?? ['', ''];
    const times = twice ? 2 : 1;
    const key = newKey();
    switch (what) {
      case 'request':
        await call({ do: 'request', email: applicant, mark: nameNext(), key }, times);
        return;
      case 'approve':
        await call({ do: 'approve', email: applicant, key }, times);
        return;
      case 'turn down':
      case 'remove technician':
        await call({ do: what, email: applicant, key }, times);
        return;
      case 'suspend':
        await suspend(applicant, pick, times);
        return;
      case 'lift': {
        if (!suspensions.has(applicant)) await suspend(applicant, pick);
        const known = suspensions.get(applicant) ?? [];
        const one = fresh ? known.at(-1) : known[pick % Math.max(1, known.length)];
        if (one === undefined) return;
        await call({ do: what, email: applicant, from: addDays(today, on), ...one, key }, times);
        return;
      }
      case 'add admin':
        await call({ do: what, email: fresh ? applicant : email, mark: nameNext(), key }, times);
        return;
      case 'remove admin': {
        const whom = pick === 0 ? applicant : email;
        const { id } = await call({ do: what, email: whom, key }, times);
        if (id !== undefined && id !== '') removals.set(whom, { email: whom, id });
        return;
      }
      case 'confirm removal':
      case 'refuse removal': {
        // What was seen last, by whichever client: it may have ended, or been made again.
        const seen = removals.get(pick === 0 ? applicant : email);
        if (seen === undefined) return;
        const decision = what === 'confirm removal' ? 'confirm' : 'refuse';
        await call({ do: 'decide removal', ...seen, decision, key }, times);
        return;
      }
      case 'open profile':
      case 'update profile': {
        if (fresh || what === 'open profile' || !profiles.has(email)) {
          const { outcome } = await call({ do: 'open profile', email, recordId });
          profiles.set(email, Number(outcome.version ?? 1));
        }
        const version = profiles.get(email) ?? 1;
        const address = pick === 0 ? '' : nameNext();
        if (what === 'update profile') await call({ do: what, email, recordId, version, address, key }, times);
      }
    }
  };
}
