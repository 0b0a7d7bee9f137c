// The axle groups of the truck that most tests have: its reference masses are those of the table.
import { detailsIn } from '#app/vehicles/group-details.ts';

export const USUAL_TEXT = 'STEER single; DRIVE tandem dual-tyres; TRAILERA tri dual-tyres; TRAILERB tri dual-tyres';
export const USUAL_DETAILS = detailsIn(USUAL_TEXT);
