// What a vehicle's page says of its plates.
import { href } from 'react-router';
import type { EvidenceNote } from '#app/visits/evidence-words.ts';
import type { ShownEvidence } from '#app/visits/present-evidence.ts';
import { formatDay } from '#app/platform/time/calendar.ts';
import { plateSince, plateWords, untilWords, type FormerPlate } from '#app/vehicles/plates.ts';
import { openWords, type PublicReport } from '#app/wrong-records/report.ts';
import { plateText } from '#app/vehicles/plate-text.ts';

type Records = {
  vehicle: { rego: string; plateState: string };
  plates: readonly FormerPlate[];
  reports: readonly PublicReport[];
  others: readonly (Pick<FormerPlate, 'untilOn' | 'why'> & { rego: string })[];
};

/** `note`: above the verdict, where the page was asked for by a former plate. `list`: empty for a plate that stayed. */
export type PlatesPart = { note: EvidenceNote | null; list: { label: string; value: string }[] };

export function platesPart({ vehicle, plates }: Records, asked: string | null): PlatesPart {
  const now = plateText(vehicle.rego);
  const former = asked === null ? undefined : plates.findLast(({ rego }) => plateText(rego) === plateText(asked));
  const since = plateSince(plates);
  return {
    note:
      former === undefined || plateText(former.rego) === now
        ? null
        : {
            look: 'other',
            lead: `${plateText(former.rego)} was ${untilWords(former)}.`,
            rest: `It is ${now} now.`,
            card: null,
          },
    list:
      plates.length === 0
        ? []
        : [
            { label: now, value: plateWords(vehicle.plateState, since === null ? '' : `since ${formatDay(since)}`) },
            ...plates.toReversed().map((one) => ({ label: plateText(one.rego), value: formerWords(one) })),
          ],
  };
}

/** 'NSW 17 August 2021 to 3 May 2026' */
export function formerWords({ state, sinceOn, untilOn, why }: FormerPlate): string {
  const until = formatDay(untilOn);
  if (why === 'joined') return `another record of this truck until ${until}`;
  if (why === 'typed-wrong') return `written here by mistake until ${until}`;
  return [state, sinceOn === null ? `until ${until}` : `${formatDay(sinceOn)} to ${until}`].filter(Boolean).join(' ');
}

/** With a note that a report is open, and one for each other truck that had the plate. */
export const withOthers = <Shown extends ShownEvidence>(
  { vehicle, others, reports }: Records,
  evidence: Shown,
): Shown => ({
  ...evidence,
  notes: [
    ...reportNote(reports),
    ...evidence.notes,
    ...others.map(({ rego, untilOn, why }): EvidenceNote => {
      const text = plateText(vehicle.rego);
      const what = why === 'typed-wrong' ? `was written here as ${text} by mistake` : `carried ${text}`;
      return {
        look: 'other',
        lead: `Until ${formatDay(untilOn)} another truck ${what}:`,
        rest: `it is ${plateText(rego)} now.`,
        card: null,
        link: { to: href('/vehicles/view/:rego', { rego }), words: `See ${rego}` },
      };
    }),
  ],
});

function reportNote(reports: readonly PublicReport[]): EvidenceNote[] {
  const lead = openWords(reports);
  const rest = 'Somebody says that a record is wrong. It does not change the verdict until it is decided.';
  return lead === null ? [] : [{ look: 'report', lead, rest, card: null }];
}
