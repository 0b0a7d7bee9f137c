// Runs a program on two phones and a running registry, and says what was lost, doubled, or left without an end.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { KeptVisit } from '#app/field/phone-store.ts';
import { READING_FIELDS, nameOf } from '#app/readings/set-grid.ts';
import { addDays, todayIn } from '#app/platform/time/calendar.ts';
import { removeVehicle, restoreVehicle } from '#app/vehicles/remove-vehicle.server.ts';
import type { SignedIn } from '#app/access/session.server.ts';
import { honestReadings } from '../visits.ts';
import type { StartedRegistry } from '../start-registry.ts';
import type { Step } from './program.ts';
import type { Line, OpenPhone, Planted, TestPhone, TestPhoto } from './test-phone.ts';

const ZONE = 'Australia/Sydney';
const AXLES = ['STEER', 'DRIVE'] as const;
const SEND_TRIES = 6;

export type Truck = { id: string; rego: string; vin: string };
export type Ground = {
  registry: Pick<StartedRegistry, 'db'>;
  line: Line;
  technician: SignedIn;
  admin: SignedIn;
  /** Of the session: the technician's cookie, or none. */
  signIn: (isIn: boolean) => void;
  openPhone: OpenPhone;
  photo: (text: string) => Promise<Uint8Array<ArrayBuffer>>;
  /** Kills the server, and starts it again. */
  restart: () => Promise<void>;
};

/** What the model knows of a visit. `words`: the ticket number of each revision, which tells them apart. */
type Known = { id: string; truck: Truck; words: string[]; photos: number; isDeleted: boolean };

/** Undefined: nothing is wrong. */
export async function runProgram(
  ground: Ground,
  trucks: readonly [Truck, Truck],
  program: readonly Step[],
  planted?: Planted,
): Promise<string | undefined> {
  const person = { id: ground.technician.personId, name: ground.technician.name };
  const phones: TestPhone[] = [];
  try {
    // A run that threw may have left it broken.
    await ground.line.proxy.set({ kind: 'none' });
    ground.signIn(true);
    for (let count = program.some(({ kind }) => kind === 'file') ? 2 : 1; count > 0; count -= 1)
      phones.push(await ground.openPhone(person, ground.line, planted));
    return await runSteps(ground, trucks, program, phones);
  } finally {
    for (const phone of phones) await phone.close();
  }
}

async function runSteps(
  ground: Ground,
  trucks: readonly [Truck, Truck],
  program: readonly Step[],
  phones: readonly TestPhone[],
): Promise<string | undefined> {
  const [own, other] = phones;
  if (own === undefined) throw new Error('there is no phone');
  const known: Known[] = [];
  let clock: Extract<Step, { kind: 'clock' }>['is'] = 'right';
  const now = () => new Date(clock === '1970' ? 7000 : Date.now() + (clock === 'ahead' ? 3 * 24 * 3_600_000 : 0));
  const keep = async (visit: Known, isDraft: boolean, photos?: readonly TestPhoto[]): Promise<boolean> => {
    const word = `T${visit.words.length}-${visit.id.slice(0, 8)}`;
    const { id, truck } = visit;
    const isKept = await own.keep(
      { id, rego: truck.rego, vin: truck.vin, vehicleId: truck.id, fields: fieldsOf(word) },
      { state: isDraft ? 'draft' : 'unsent', now: now(), photos },
    );
    if (isKept) visit.words.push(word);
    return isKept;
  };
  for (const step of program) {
    const visit = 'visit' in step ? known[step.visit % Math.max(1, known.length)] : undefined;
    switch (step.kind) {
      case 'capture': {
        const added: Known = {
          id: randomUUID(),
          truck: trucks[step.truck],
          words: [],
          photos: step.photos,
          isDeleted: false,
        };
        known.push(added);
        const photos = await Promise.all(
          Array.from({ length: step.photos }, async () => {
            const id = randomUUID();
            return { id, name: `${id}.jpg`, bytes: await ground.photo(id) };
          }),
        );
        // Without room the form says so, and stays open: there is no visit on the phone.
        added.isDeleted = !(await keep(added, step.isDraft, photos));
        break;
      }
      case 'edit':
        if (visit?.isDeleted === false) await keep(visit, step.isDraft);
        break;
      case 'delete':
        if (visit !== undefined) {
          visit.isDeleted = true;
          await own.remove(visit.id);
        }
        break;
      case 'again':
        if (visit !== undefined) await own.again(visit.id);
        break;
      case 'file': {
        const file = visit === undefined ? undefined : await own.file(visit.id);
        if (file !== undefined) await other?.openFile(file);
        break;
      }
      case 'send':
        await (step.phone === 0 ? own : (other ?? own)).send(step);
        break;
      case 'line':
        for (const phone of phones) await phone.set(step.is);
        break;
      case 'session':
        ground.signIn(step.isIn);
        break;
      case 'truck':
        await (step.isThere ? bring(ground, trucks[step.truck]) : take(ground, trucks[step.truck]));
        break;
      case 'clock':
        clock = step.is;
        break;
      case 'room':
        for (const phone of phones) await phone.setRoom(step.isLeft);
        break;
      case 'server': {
        const sending = own.send();
        await pause(step.killAfterMs);
        await ground.restart();
        await sending;
        break;
      }
      case 'caches':
        // The outbox is no cache: emptying those leaves it alone.
        await own.emptyCaches();
        break;
    }
  }
  // In the end everything is well again, and what can be sent is sent.
  ground.signIn(true);
  for (const phone of phones) {
    await phone.setRoom(true);
    await phone.set({ kind: 'whole' });
    for (let tries = 0; tries < SEND_TRIES && !(await phone.send()); tries += 1);
  }
  return wrongIn(ground, trucks, known, phones);
}

async function take({ registry, admin }: Ground, { rego }: Truck): Promise<void> {
  await removeVehicle(registry.db, admin, { rego });
}

async function bring({ registry, admin }: Ground, { id }: Truck): Promise<void> {
  await restoreVehicle(registry.db, admin, { id });
}

let nudge = 0;

function fieldsOf(ticket: string): [string, string][] {
  nudge = (nudge + 2) % 200;
  const today = todayIn(ZONE);
  return [
    ['confirmed', 'yes'],
    ['visit_date', today],
    ['visit_time', '00:01'],
    ['due_date', addDays(today, 182)],
    ['ticket_number', ticket],
    ...AXLES.map((axle): [string, string] => ['axle', axle]),
    ...AXLES.flatMap((axle) => {
      const four = honestReadings(axle, nudge);
      return READING_FIELDS.map(({ field }): [string, string] => [nameOf(axle, field), four[field]]);
    }),
  ];
}

type Recorded = {
  captureId: string | null;
  ticketNumber: string;
  photoId: string | null;
  morePhotoIds: string[] | null;
};

async function wrongIn(
  { registry: { db } }: Ground,
  trucks: readonly Truck[],
  known: readonly Known[],
  phones: readonly TestPhone[],
): Promise<string | undefined> {
  const recorded: Recorded[] = await db
    .selectFrom('calibrationSet')
    .select(['captureId', 'ticketNumber', 'photoId', 'morePhotoIds'])
    .where(
      'vehicleId',
      'in',
      trucks.map(({ id }) => id),
    )
    .execute();
  const doubled = recorded.find(
    ({ captureId }, place) =>
      !known.some(({ id }) => id === captureId) || recorded.findIndex((one) => one.captureId === captureId) !== place,
  );
  if (doubled !== undefined) return `a visit is recorded that nobody captured, or twice: ${JSON.stringify(doubled)}`;
  for (const phone of phones) {
    const visits = await phone.visits();
    const isOwn = phone === phones[0];
    for (const one of known) {
      const kept = visits.find(({ visit }) => visit.id === one.id);
      if (kept === undefined) {
        if (isOwn && !one.isDeleted) return `the visit ${one.id} is gone from the phone`;
        continue;
      }
      const set = recorded.find(({ captureId }) => captureId === one.id);
      const wrong = wrongWith(kept, one, set);
      if (wrong !== undefined) return `${isOwn ? '' : 'opened from a file: '}${wrong}`;
    }
  }
  return undefined;
}

function wrongWith(
  { visit: kept, photos }: { visit: KeptVisit; photos: number },
  one: Known,
  set: Recorded | undefined,
): string | undefined {
  const last = kept.fields.find(([name]) => name === 'ticket_number')?.[1] ?? '';
  const of = `the visit ${kept.id}, ${kept.state},`;
  if (kept.state === 'unsent') return `${of} came to no end`;
  if (kept.state === 'draft') return photos === one.photos ? undefined : `${of} lost a photo`;
  if (kept.answer === null) return `${of} does not say what became of it`;
  if (kept.state === 'refused') {
    if (photos !== one.photos) return `${of} lost a photo`;
    return set === undefined ? undefined : `${of} is recorded`;
  }
  if (set === undefined) return `${of} is not in the registry`;
  if (!one.words.includes(set.ticketNumber)) return `${of} is recorded as nobody typed it`;
  if (!kept.isChangedSince && set.ticketNumber !== last)
    return `${of} is recorded as it was before, and does not say so`;
  const stored = (set.photoId === null ? 0 : 1) + (set.morePhotoIds?.length ?? 0);
  return stored === one.photos ? undefined : `${of} has ${stored} of its ${one.photos} photos`;
}
