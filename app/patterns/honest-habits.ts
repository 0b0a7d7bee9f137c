// Honest habits that are let pass: each is in a null model, or its pattern stays silent. For the public page.
export const LET_PASS = [
  'A weighbridge with two ranges, or with a step that the register has wrong.',
  'The mean of two or three weighings, written to the kilogram.',
  'All readings of a visit, or all of a technician’s, rounded to a coarser step.',
  'Times on the hour, the half hour or the quarter; times of recording a day’s visits one after the other.',
  'One photo, or one ticket number, for the trucks of one day.',
  'A camera that never moves, and plain pictures.',
  'A ticket printer that begins again each day.',
  'Two people under one account, between their usual weighbridges; an aeroplane beyond 400 km.',
  'A workshop that mostly repairs; a fleet that mostly changes trailers; a planner who mostly comes in the last days.',
  'Writing what was left where the scale is found within 100 kg of it; coming again within 60 days.',
] as const;
