// The page about verdicts in words: how visits make one, with an example. The loader gives them to the page, so that no
// script holds them.
import { zoneCity } from '#app/platform/time/calendar.ts';
import { labelled, pictureOfUnits } from '#app/vehicles/picture-of-units.ts';
import type { ShownPicture } from '#app/vehicles/units-picture.tsx';
import { days, type Policy } from '#app/policy/policy.ts';

export type HowEarned = { paragraphs: string[]; example: { day: string; words: string }[] };

export const howEarned = ({
  longestIntervalDays,
  promptDays,
}: Pick<Policy, 'longestIntervalDays' | 'promptDays'>): HowEarned => ({
  paragraphs: [
    `A verdict rests on visits. A visit is what one technician reads on one truck at one time: for each axle group with a sensor its volts and its kilograms, empty and loaded. It states when the next one is due, at most ${days(longestIntervalDays)} later.`,
    `When it ends, it is held against checks. Are all readings there, and can they be right? Were rego and VIN read on the truck? Was it recorded within ${days(promptDays)}? Does each axle agree with the calibrations before? Was the technician admitted? Was it weighed on a verified weighbridge, with a ticket and a photo? Some checks must be passed, others are only noted: the rules below say which.`,
    'What a technician only says is no evidence. Where they say that a sensor was replaced or that another trailer is behind, nothing can be compared: the visit waits, but for a trailer whose truck’s own axles agree. As-found readings explain a difference up to twice the limit, and the page says how far the scale was out. Two lines agree when they do so empty and loaded; an empty truck weighs what it weighed; and readings of a whole visit that an earlier one has too, or that lie within a step of another truck’s, are looked at.',
    'A visit that passes what it must ‘counts’. One in which only readings are missing is ‘partial’, and changes nothing. Any other ‘waits’: an administrator who did not record it accepts it, or sets it aside, with a reason that the page shows. Where an administrator recorded it, the other has been one for 90 days, or the page says since when. Until then it changes nothing, for better or worse.',
    'The due date is that of the newest visit that counts or was accepted. An administrator also validates each truck’s record; that alone makes nothing valid. Calibrations from before there were visits keep their effect, marked ‘taken over’.',
    'An axle group that visits read within two years stays on the truck’s list: only an administrator takes it away, with a reason. Figures, weighbridge and ticket number are what a technician types; without a photo the page says ‘Only the technician’s own figures’.',
    'Corrections buy no time. A late visit that was accepted stays accepted when its dates are corrected, and keeps the earlier date. When the newest visit falls, and its date came earlier than that of the visit before, the earlier date is kept, and the page says that no visit states it. A due date that is typed for a truck without a visit that counts is kept, and is not in force.',
    'The checks show whether records fit together. They cannot show whether the truck stood on that weighbridge.',
  ],
  example: [
    {
      day: '4 March',
      words:
        'Its first visit. All readings are there, and nothing is there before to compare them with. It counts, an administrator validates the record, and the truck is valid: due on 2 September.',
    },
    {
      day: '28 August',
      words:
        'The second visit. The loads were others, but each axle has the same line as before, within the tolerance. It counts: due on 26 February.',
    },
    {
      day: '20 February',
      words:
        'The third visit. The drive axle differs by 1,240 kg, and the limit is 500 kg. It waits, and the page says why. The truck stays valid to 26 February, as before.',
    },
    {
      day: '23 February',
      words:
        'An administrator looks at lines, ticket and photo, and asks. The sensor was replaced. The visit is accepted for that reason: due on 21 August.',
    },
    {
      day: '30 March',
      words:
        'The weighbridge of that visit is found out of tolerance. An administrator withdraws it for all of February, and a second one confirms. The visit waits again, the due date falls back to 26 February, and the truck is overdue. If the withdrawal turns out to be wrong, it is lifted, and all is as before.',
    },
  ],
});

/** A truck and two trailers, and what a verdict says of each. */
export const units = (): { picture: ShownPicture; paragraphs: string[] } => ({
  picture: {
    ...labelled(
      pictureOfUnits([
        { kind: '', axleGroups: '', groupDetails: 'STEER single; DRIVE tandem', name: '' },
        { kind: 'trailer', axleGroups: '', groupDetails: 'REAR tri', name: 'Trailer' },
        { kind: 'trailer', axleGroups: '', groupDetails: 'REAR tri', name: 'Trailer' },
      ]),
    ),
    words: 'A truck with a steer and a drive group pulls two trailers. Each has one group of three axles.',
  },
  paragraphs: [
    'Axles that stand close together share their load and are weighed together: that is an axle group. A truck has a steer and a drive group; a trailer has one or two of its own. What is not known of a group is said to be unknown.',
    'A trailer with a scale unit of its own has its own plate, page and verdict, which stay with it whichever truck pulls it. A trailer that the truck’s unit reads takes the truck’s verdict, where the truck’s visit names it. With another trailer behind, that line does not hold. A truck with its trailers has the worst of their words.',
    'A truck keeps its history when its plate changes. A former plate leads to the truck that had it. Where two trucks carry the same plate in two states, the page asks which one.',
  ],
});

/** What follows the rules. `zone`: the registry's. */
export const sectionsOf = (zone: string): { title: string; words: string; to?: string }[] => [
  {
    title: 'How far a scale was off',
    words:
      'Where a visit weighed a check load, its page says by how many kilograms the scale was off, how sure that is, and whether it conforms to the tolerance. That changes no verdict.',
    to: '/method',
  },
  {
    title: 'When a day ends',
    words: `A calibration is valid to the end of its due date, in ${zoneCity(zone)} time (${zone}). The verdict is worked out each time a page is read, so it is never out of date.`,
  },
  {
    title: 'What a verdict does not say',
    words:
      'The registry shows what has been recorded about a scale. It does not show what the truck weighs, and it does not prove that the scale was right. A truck that is not listed has no calibration in this registry; that shows nothing about its scale.',
  },
  {
    title: 'What is recorded',
    words:
      'A calibration relates the voltage of a sensor to the mass on an axle group, measured on a weighbridge once empty and once loaded. Each reading is shown with who recorded it and when. Entries marked ‘imported’ come from the former register; their time is the one that it kept.',
  },
];
