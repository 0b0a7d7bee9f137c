// Records a visit that a phone captured, perhaps days ago. It is judged by what holds now, as any other visit; it is
// never merged with another, and sent twice it is recorded once.
import { z } from 'zod';
import { findAccount } from '#app/access/queries.server.ts';
import { namingOf, type SignedIn } from '#app/access/session.server.ts';
import type { KnownNaming } from '#app/activity-log/actor.server.ts';
import { whyNotRecorded } from '#app/recording/calibration-set-action.server.ts';
import { outcomeOfVisit, whenOf } from '#app/recording/own-visit.server.ts';
import { recordCalibrationSet } from '#app/recording/record-calibration-set.server.ts';
import { sentForm, type SentForm } from '#app/recording/sent-form.server.ts';
import { readSet } from '#app/recording/set-entry.ts';
import { findVisit } from '#app/visits/visit-queries.server.ts';
import { outcomeWords } from '#app/visits/visit-outcome.ts';
import { stateWord } from '#app/visits/visit.ts';
import type { Db } from '#app/platform/database/database.server.ts';
import { readForm } from '#app/platform/http/read-form.ts';
import type { Services } from '#app/platform/services/services.server.ts';
import { formatDay, todayIn } from '#app/platform/time/calendar.ts';
import { doneRefusal } from '#app/platform/time/entered-day.ts';
import { currentPolicy } from '#app/policy/queries.server.ts';
import { listFormerPlates } from '#app/vehicles/plates.server.ts';
import { readPresentRego, type ReadRego } from '#app/vehicles/read-rego.server.ts';
import { findVehicle, findVehicleById } from '#app/vehicles/queries.server.ts';
import { plateText } from '#app/vehicles/plate-text.ts';
import { isUuid } from '#app/platform/process/uuid.ts';
import { FORM_VERSIONS, type SentAnswer } from './field.ts';

const captureSchema = z.object({
  capture_id: z.uuid(),
  captured_at: z.iso.datetime(),
  captured_by: z.uuid(),
  /** '': the phone did not know the truck, and its VIN was typed. */
  vehicle_id: z.string(),
  form_version: z.coerce.number().int(),
  rego: z.string(),
  /** 'yes': it comes from a file that another phone wrote. */
  from_file: z.string().default(''),
  /** 'yes': the sender was at the truck, and read rego and VIN. Only of a file. */
  was_there: z.string().default(''),
});

const CLOCK_WRONG =
  'This phone’s clock was wrong when the visit was saved. Put it right, open the visit here, and save it again.';

type Fields = { fields: ReadonlyMap<string, string>; all: ReadonlyMap<string, readonly string[]> };

export async function recordCapturedVisit(services: Services, who: SignedIn, form: Fields): Promise<SentAnswer> {
  const { db, config, now } = services;
  const read = readForm(captureSchema, form.fields);
  const sent = read.ok ? sentForm(read.input.capture_id, form.all) : undefined;
  if (!read.ok || sent === undefined) return refusal('form-malformed', 'This is not a visit as a phone sends it.');
  const { captured_at: at, captured_by: by, vehicle_id: vehicleId } = read.input;
  const before = await recordedBefore(services, who, sent);
  if (before !== undefined) return before;
  if (!FORM_VERSIONS.includes(read.input.form_version))
    return refusal(
      'form-version',
      'The registry no longer reads this version of the form. Open it here and send it again.',
    );
  const isOwn = by === who.personId;
  if (!isOwn && read.input.from_file !== 'yes')
    return refusal('not-yours', 'Somebody else recorded this visit on this phone. It is sent when they sign in.');
  // Who captured it is a recorder too: somebody of this registry.
  const captor = isOwn ? null : await captorOf(db, by);
  if (captor === undefined)
    return refusal('captor-unknown', 'The file names somebody whom this registry does not know. Nothing was recorded.');
  const rego = await regoOfCapture(db, read.input);
  if (!rego.ok) return refusal('vehicle-unknown', 'No vehicle with this rego is in the registry.');
  const today = todayIn(config.timeZone, now());
  if (doneRefusal(todayIn(config.timeZone, new Date(at)), { today }) !== undefined)
    return refusal('clock-wrong', CLOCK_WRONG);
  const { longestIntervalDays } = await currentPolicy(db);
  const set = readSet(form.fields, form.all, { zone: config.timeZone, now: now(), longestIntervalDays });
  if (set.input === undefined)
    return Object.keys(set.errors).length > 0
      ? { ...refusal('values-wrong', 'Some values are missing or wrong.'), errors: set.errors }
      : {
          ...refusal('values-unlikely', 'Some values look like slips. Confirm or correct them.'),
          errors: set.warnings,
        };
  const recorded = await recordCalibrationSet(services, who, {
    rego: rego.rego,
    input: set.input,
    photos: (form.all.get('photo') ?? []).filter((uploadId) => uploadId !== ''),
    key: sent.id,
    form: sent,
    capture: {
      capturedAt: new Date(at),
      vehicleId,
      captor,
      // A file that another program sent without the answer waits too.
      wasThere: read.input.was_there === 'yes' || (isOwn && read.input.was_there === ''),
    },
  });
  if (recorded.recorded)
    return answerOf(services, who, { visitId: recorded.setId, again: { isAgain: false, isSame: true } });
  if (recorded.reason === 'removed') return removed(db, rego.rego, config.timeZone);
  const { code, sentence } = whyNotRecorded(recorded);
  return refusal(code, sentence);
}

// The truck that the phone knew may have another plate by now, and somebody else the one that was typed.
async function regoOfCapture(
  db: Db,
  { rego, vehicle_id: id }: { rego: string; vehicle_id: string },
): Promise<ReadRego> {
  const read = await readPresentRego(db, rego);
  const known = read.ok && isUuid(id) ? await findVehicleById(db, id) : undefined;
  if (known === undefined || known.deletedAt !== null || !read.ok || known.rego === read.rego) return read;
  const formers = await listFormerPlates(db, id);
  return formers.some((one) => plateText(one.rego) === plateText(read.rego)) ? { ok: true, rego: known.rego } : read;
}

const refusal = (reason: string, sentence: string): SentAnswer & { recorded: false } => ({
  recorded: false,
  reason,
  sentence,
  errors: {},
});

async function removed(db: Db, rego: string, zone: string): Promise<SentAnswer> {
  const found = await findVehicle(db, rego);
  const day = found.state === 'removed' ? ` on ${formatDay(todayIn(zone, found.removedAt))}` : '';
  return refusal(
    'vehicle-removed',
    `This vehicle was removed${day}. Nothing you typed is lost. Ask the office to restore it, then send again.`,
  );
}

// No matter who sent it: it is one visit, on whichever phone its file was opened, and also where it was sent from the
// form with reception.
async function recordedBefore(
  services: Services,
  who: SignedIn,
  { id, sha256 }: SentForm,
): Promise<SentAnswer | undefined> {
  const set = await services.db
    .selectFrom('calibrationSet')
    .select(['id', 'captureSha256'])
    .where('captureId', '=', id)
    .executeTakeFirst();
  return set === undefined
    ? undefined
    : answerOf(services, who, { visitId: set.id, again: { isAgain: true, isSame: set.captureSha256 === sha256 } });
}

type Again = { isAgain: boolean; isSame: boolean };

async function answerOf(
  { db, config }: Services,
  who: SignedIn,
  { visitId, again }: { visitId: string; again: Again },
): Promise<SentAnswer> {
  const visit = await findVisit(db, visitId);
  if (visit === undefined) throw new Error(`there is no visit ${visitId}`);
  const { lead, rest } = outcomeWords(await outcomeOfVisit(db, visit));
  return {
    recorded: true,
    visitId,
    state: visit.state,
    word: stateWord(visit.state),
    words: [lead, rest, `Time of the visit: ${await whenOf(db, visit, config.timeZone)}.`].filter(Boolean).join(' '),
    ...again,
    by: visit.personId === who.personId ? null : (visit.technicianName ?? 'somebody else'),
  };
}

// Under their present name, else the newest that they had.
async function captorOf(db: Db, personId: string): Promise<KnownNaming | undefined> {
  const account = await findAccount(db, personId);
  if (account !== undefined) return namingOf({ ...account, personId });
  const actor = await db
    .selectFrom('actor')
    .select(['name', 'email'])
    .where('personId', '=', personId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return actor === undefined ? undefined : { ...actor, personId };
}
