// A photo that was used before is found, also where it was saved again, made smaller or cropped by little.
import { createHash } from 'node:crypto';
import sharp, { type Sharp } from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SignedIn } from '#app/access/session.server.ts';
import { encodeImage } from '#app/files/encode-image.server.ts';
import { addTemporaryUpload } from '#app/files/temporary-upload.server.ts';
import { findVehicle } from '#app/vehicles/queries.server.ts';
import { addSignedIn } from '#test/people.ts';
import { addTruck } from '#test/withdrawals.ts';
import { sampled } from '#test/sample.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { honestSet } from '#test/visits.ts';
import { recordCalibrationSet } from '#app/recording/record-calibration-set.server.ts';
import { checksOf } from './visit-queries.server.ts';

let services: TestServices;
let admin: SignedIn;
let tech: SignedIn;
let trucks = 0;

beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  admin = await addSignedIn(services, 'admin', 'mia@registry.example', 'Mia');
  tech = await addSignedIn(services, 'technician', 'jo@scales.example', 'Jo');
});
afterAll(() => services.stop());

/** A picture of a few soft shapes; another seed gives another. */
function picture(seed: number): Sharp {
  const cells = Buffer.concat(
    Array.from({ length: (16 * 12 * 3) / 32 }, (_, part) => createHash('sha256').update(`${seed} ${part}`).digest()),
  );
  return sharp(cells, { raw: { width: 16, height: 12, channels: 3 } }).resize(800, 600, { kernel: 'cubic' });
}

/** What the check 'photo' answers of a visit with this photo. */
async function answerTo(photo: Sharp): Promise<string | undefined> {
  const rego = `PIC${(trucks += 1)}`;
  await addTruck(services, admin, rego);
  const upload = { name: 'scale.jpg', bytes: await photo.jpeg().toBuffer() };
  const added = await addTemporaryUpload(services, tech.personId, { role: 'image', upload });
  const found = await findVehicle(services.db, rego);
  if (!added.added || found.state !== 'live') throw new Error('the photo or the truck is not there');
  const input = honestSet(found.vehicle.vin, 'STEER DRIVE', services.now());
  const answer = await recordCalibrationSet(services, tech, { rego, input, photos: [added.id], key: undefined });
  if (!answer.recorded) throw new Error(answer.reason);
  const { checks } = await services.db
    .selectFrom('visit')
    .select('checks')
    .where('id', '=', answer.setId)
    .executeTakeFirstOrThrow();
  return checksOf(checks).find(({ check }) => check === 'photo')?.answer;
}

test('the same picture, saved again, smaller, lighter or cropped by little, was used before; another was not', async () => {
  const whole = await picture(1).png().toBuffer();
  expect(await answerTo(sharp(whole))).toBe('passed');
  expect(await answerTo(picture(2))).toBe('passed');
  expect(await answerTo(picture(3))).toBe('passed');
  const copies = {
    'as it is': sharp(whole),
    'saved again': sharp(await sharp(whole).jpeg({ quality: 40 }).toBuffer()),
    smaller: sharp(whole).resize(500),
    lighter: sharp(whole).modulate({ brightness: 1.15 }),
    cropped: sharp(whole).extract({ left: 4, top: 3, width: 792, height: 594 }),
  };
  for (const [copy, made] of Object.entries(copies)) expect([copy, await answerTo(made)]).toEqual([copy, 'failed']);
});

const PICTURES = sampled(100);
test(`of ${PICTURES} pictures none is taken for another`, async () => {
  const hashes: string[] = [];
  for (let seed = 10; seed < 10 + PICTURES; seed += 1) {
    const encoded = await encodeImage(await picture(seed).jpeg().toBuffer(), 'image/jpeg');
    hashes.push(typeof encoded === 'string' ? encoded : (encoded.dhash ?? ''));
  }
  const distance = (one: string, other: string) => [...one].filter((bit, at) => bit !== other[at]).length;
  const least = hashes.flatMap((one, at) => hashes.slice(at + 1).map((other) => distance(one, other)));
  expect(Math.min(...least)).toBeGreaterThan(4);
});
