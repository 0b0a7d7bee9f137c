// Fills the demo: an import of the former database's export, with dates relative to today, and what was recorded since
// by the product's own writes, in the names of the demo's people.
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { calibrationSchema } from '#app/recording/calibration-entry.ts';
import { recordCalibration } from '#app/recording/record-calibration.server.ts';
import { READING_FIELDS } from '#app/readings/set-grid.ts';
import { importExport } from '#app/import/import-export.server.ts';
import { lookAtNight } from '#app/patterns/look-for-patterns.server.ts';
import { hashPassword } from '#app/platform/auth/password-hash.server.ts';
import { addDays, todayIn } from '#app/platform/time/calendar.ts';
import { applyWithdrawals } from '#app/withdrawals/apply-withdrawals.server.ts';
import { decideWithdrawal, proposeWithdrawal } from '#app/withdrawals/decide-withdrawal.server.ts';
import { addReference } from '#app/references/add-reference.server.ts';
import { addRepair } from '#app/references/add-repair.server.ts';
import { addVerification } from '#app/references/add-verification.server.ts';
import { referenceLine, twelveMonthsFrom } from '#app/references/reference.ts';
import { referenceSchema } from '#app/references/reference-entry.ts';
import { setPassword } from '#app/sign-in/set-password.server.ts';
import { addCombinations, addPlates } from './combinations.ts';
import { demoExport } from './export.ts';
import { demoFleet } from './fleet.ts';
import { DANIEL, DEMO_SIGN_INS, MIA, NGUYEN } from './people.ts';
import { INTERVAL_DAYS } from './readings.ts';
import {
  readAgain,
  readingsBefore,
  recordFleetVisit,
  recordStory,
  signedIn,
  type Demo,
  type Register,
} from './record.ts';
import { type Row, tableOf } from './table.ts';

/** Into a registry that is empty. */
export async function fillDemo(demo: Demo): Promise<void> {
  const { db, config, now } = demo;
  const zone = config.timeZone;
  const say = (line: string) => process.stdout.write(`${line}\n`);
  say(await importRecords(demo));
  for (const { email = '', password = '' } of DEMO_SIGN_INS) {
    const { personId, name } = await signedIn(demo, email);
    const account = { personId, name, email, mustChange: false, hash: await hashPassword(password) };
    await db.transaction().execute((tx) => setPassword(tx, account));
  }
  say('Recording a year of invented visits. This takes about a quarter of a minute, at the first start only.');
  const register = await addWeighbridges(demo);
  for (const visit of demoFleet().visits) await recordFleetVisit(demo, register, visit);
  await lookAtNight({ db, now, zone }, todayIn(zone, now()));
  for (const story of tableOf('stories')) await recordStory(demo, register, story);
  await addCombinations(demo, register);
  await addPlates(demo);
  await openVisit(demo);
  await withdraw(demo, register.get('Galah Ridge weighbridge')?.id ?? '');
}

async function importRecords({ db, files, config, now }: Demo): Promise<string> {
  const { timeZone } = config;
  const folder = await mkdtemp(path.join(tmpdir(), 'registry-demo-'));
  try {
    const file = path.join(folder, 'export.json');
    await writeFile(file, JSON.stringify(demoExport(todayIn(timeZone), demoFleet())));
    const bucket = { folder: path.join(import.meta.dirname, 'bucket') };
    const quiet = { dryRun: false, print: () => {}, progress: () => {} };
    const report = await importExport({ db, files, file, bucket, timeZone, now, ...quiet });
    const entries = report.of('Calibrations', 'added').toLocaleString('en-AU');
    return `The demo holds ${report.of('Vehicles', 'added')} invented vehicles with ${entries} calibration entries.`;
  } finally {
    await rm(folder, { recursive: true });
  }
}

export const DEMO_WEIGHBRIDGES = tableOf('weighbridges').map((row): Row & { name: string } => ({
  ...row,
  name: `${row.name} weighbridge`,
  operator: `${row.name} Weighing`,
}));

/** Oldest first, with both days. */
function verificationsOf({ name, verified = '' }: Row & { name: string }, today: string) {
  const stem = name.slice(0, 2).toUpperCase();
  const days = verified.split(' ').map(Number);
  return days.map((from, place) => {
    const fromOn = addDays(today, from);
    const next = days[place + 1];
    const whole = twelveMonthsFrom(fromOn);
    const before = next === undefined ? whole : addDays(today, next - 1);
    const certificateNumber = `V${stem}-${String(4107 + place * 612 - from)}`;
    return { certificateNumber, fromOn, toOn: before < whole ? before : whole };
  });
}

async function addWeighbridges(demo: Demo): Promise<Register> {
  const { db, config, now } = demo;
  const mia = await signedIn(demo, MIA);
  const today = todayIn(config.timeZone, now());
  const register = new Map<string, { id: string; line: string }>();
  for (const weighbridge of DEMO_WEIGHBRIDGES) {
    const entered = referenceSchema.parse(weighbridge);
    const { id } = await addReference(db, mia, { input: entered, key: randomUUID() });
    for (const period of verificationsOf(weighbridge, today))
      await addVerification(demo, mia, { referenceId: id, period, file: '', key: randomUUID() });
    const repair = { on: addDays(today, -103), note: 'Load cell 3 and its junction box replaced.' };
    if (entered.name === 'Magpie Flat weighbridge')
      await addRepair(db, mia, { referenceId: id, ...repair, key: randomUUID() });
    register.set(entered.name, { id, line: referenceLine(entered) });
  }
  return register;
}

// A visit that is still being recorded, reading by reading.
async function openVisit(demo: Demo): Promise<void> {
  const [rego, axle, zone] = ['XV85FN', 'STEER', demo.config.timeZone] as const;
  const today = todayIn(zone, demo.now());
  const who = await signedIn(demo, NGUYEN);
  const before = (await readingsBefore(demo, rego)).get(axle);
  const readings = before && readAgain(before);
  for (const { field, label } of READING_FIELDS) {
    const entered = { axle, attribute: label, value: readings?.[field], due_date: addDays(today, INTERVAL_DAYS) };
    const input = calibrationSchema(today).parse({ ...entered, confirmed: 'yes' });
    const answer = await recordCalibration(demo.db, who, { rego, input, now: demo.now(), zone, key: randomUUID() });
    if (!answer.recorded) throw new Error(`the demo's reading of ${rego} was refused: ${answer.reason}`);
  }
}

async function withdraw(demo: Demo, weighbridge: string): Promise<void> {
  const today = todayIn(demo.config.timeZone, demo.now());
  const note = 'Its last check found it 160 kg low at 40 t.';
  const why = { fromOn: addDays(today, -6), toOn: today, reason: 'out of tolerance', note } as const;
  const proposed = await proposeWithdrawal(demo, await signedIn(demo, MIA), {
    referenceId: weighbridge,
    ...why,
    key: randomUUID(),
  });
  if (!proposed.proposed) throw new Error(`the demo's withdrawal was refused: ${proposed.reason}`);
  const daniel = await signedIn(demo, DANIEL);
  const confirmed = await decideWithdrawal(demo, daniel, { id: proposed.id, decision: 'confirm', key: randomUUID() });
  if (!confirmed.decided) throw new Error(`the demo's withdrawal was not confirmed: ${confirmed.reason}`);
  await applyWithdrawals(demo.db, { now: demo.now, isLost: () => false });
}
