// The schemas of the forms about weighbridges. Separate from reference.ts, so that public pages do not load Zod.
import { z } from 'zod';
import {
  openedVersion,
  optionalDay,
  optionalLine,
  optionalName,
  requiredDay,
  requiredLine,
  requiredName,
  requiredReason,
} from '#app/forms/text-fields.ts';
import { dropUnseen } from '#app/platform/process/typed-text.ts';
import { readNumber } from '#app/platform/http/entered-number.ts';
import { doneRefusal } from '#app/platform/time/entered-day.ts';
import { LONGEST, STATES, twelveMonthsFrom } from './reference.ts';

const CAPACITY_MAX_KG = 500_000;
const INTERVAL_MAX_KG = 1000;
const DECIMALS_MAX = 6;

function refuse(context: Pick<z.RefinementCtx, 'addIssue'>, message: string): never {
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
}

/** Whole kilograms, or nothing. */
const optionalKg = (max: number) =>
  z
    .string()
    .default('')
    .transform((text, context) => {
      if (text.trim() === '') return null;
      const entered = readNumber(text, '', 'kg');
      const kg = entered.ok ? Number(entered.value) : Number.NaN;
      if (Number.isInteger(kg) && kg >= 1 && kg <= max) return kg;
      return refuse(context, `Enter whole kilograms from 1 to ${max.toLocaleString('en-AU')}.`);
    });

/** Decimal degrees as text, without zeros at its end; '' is not known. */
const degrees = (max: number, example: string) =>
  z
    .string()
    .default('')
    .transform((text, context) => {
      if (dropUnseen(text).trim() === '') return '';
      const entered = readNumber(text, example, '°');
      const typed = entered.ok ? entered.value : '';
      const [, whole = '', decimals = ''] = /^(-?\d{1,3})(?:\.(\d+))?$/.exec(typed) ?? [];
      if (whole !== '' && decimals.length <= DECIMALS_MAX && Math.abs(Number(typed)) <= max) return decimalText(typed);
      return refuse(context, `Enter degrees with at most ${DECIMALS_MAX} decimals, such as ${example}.`);
    });

// '-033.80' is '-33.8', and '-0.0' is '0'.
const decimalText = (typed: string): string => String(Number(typed) + 0);

const state = z
  .string()
  .default('')
  .transform((text, context) => {
    const found = STATES.find(({ value }) => value === text.trim().toUpperCase());
    if (found !== undefined) return found.value;
    return refuse(context, 'Choose a state or territory.');
  });

/** The fields of a weighbridge, as its form and a CSV file name them. */
export const REFERENCE_SHAPE = {
  name: requiredName(LONGEST.name, 'A name is required.'),
  place: requiredName(LONGEST.place, 'A place is required: the town or locality.'),
  state,
  latitude: degrees(90, '-33.8688'),
  longitude: degrees(180, '151.2093'),
  operator: optionalName(LONGEST.operator),
  capacity_kg: optionalKg(CAPACITY_MAX_KG),
  interval_kg: optionalKg(INTERVAL_MAX_KG),
  licence: optionalLine(LONGEST.publicLicence),
};

export const referenceSchema = z.object({ ...REFERENCE_SHAPE, version: openedVersion });
export type ReferenceInput = z.infer<typeof referenceSchema>;
export type ReferenceField = keyof typeof referenceSchema.shape;

/** Why latitude and longitude do not make a place; undefined when they do, or neither is given. */
export function coordinatesRefused({
  latitude,
  longitude,
}: Pick<ReferenceInput, 'latitude' | 'longitude'>): Partial<Record<'latitude' | 'longitude', string>> | undefined {
  if ((latitude === '') === (longitude === '')) return undefined;
  return { [latitude === '' ? 'latitude' : 'longitude']: 'Give both latitude and longitude, or neither.' };
}

const doneBy = (today: string) => requiredDay((text) => doneRefusal(text, { today }));

/** `today` is in the registry's zone. */
export const verificationSchema = (today: string) =>
  z.object({
    certificate_number: requiredLine(LONGEST.certificate, 'Enter the number on the certificate.'),
    from: doneBy(today),
    to: optionalDay(),
  });
export type VerificationInput = z.infer<ReturnType<typeof verificationSchema>>;

const PERIOD_MAX_YEARS = 5;

/** The period that was entered, or why it is none. Without a last day it is the registry's own default of 12 months. */
export function periodOf({
  from,
  to,
}: Pick<VerificationInput, 'from' | 'to'>):
  | { ok: true; fromOn: string; toOn: string }
  | { ok: false; message: string } {
  const toOn = to ?? twelveMonthsFrom(from);
  if (toOn < from) return { ok: false, message: 'The last day is before the first.' };
  const latest = `${String(Number(from.slice(0, 4)) + PERIOD_MAX_YEARS)}${from.slice(4)}`;
  if (toOn > latest) return { ok: false, message: `A period has at most ${PERIOD_MAX_YEARS} years.` };
  return { ok: true, fromOn: from, toOn };
}

export const withdrawalSchema = z.object({ reason: requiredReason('Give a reason: what is wrong with this period?') });

export const repairSchema = (today: string) =>
  z.object({ on: doneBy(today), note: requiredLine(LONGEST.repair, 'Say what was repaired.') });
export type RepairInput = z.infer<ReturnType<typeof repairSchema>>;
