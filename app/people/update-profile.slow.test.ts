import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addTemporaryUpload } from '#app/files/temporary-upload.server.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { addPerson, signedIn, type Person } from '#test/people.ts';
import { portrait } from './portrait.server.ts';
import { profileSchema } from './profile.ts';
import { findProfile } from './profile-queries.server.ts';
import type { SignedIn } from '#app/access/session.server.ts';
import { updateProfile } from './update-profile.server.ts';

let services: TestServices;
let mia: Person;
let tech: Person;
let asMia: SignedIn;
let asTech: SignedIn;
beforeAll(async () => {
  services = await createTestServices({ RATE_LIMITS: 'off' });
  mia = await addPerson(services.db, 'admin', 'mia@registry.example', { name: 'Mia' });
  tech = await addPerson(services.db, 'technician', 'j.nguyen@scales.example', { name: 'J. Nguyen' });
  asMia = (await signedIn(services, mia.email)).who;
  asTech = (await signedIn(services, tech.email)).who;
});
afterAll(() => services.stop());

const input = (more: Record<string, string> = {}) =>
  profileSchema.parse({ name: 'Mia Kowalski', phone: '0491 570 156', dob: '1984-03-19', version: '1', ...more });
const entries = () =>
  services.db
    .selectFrom('activityLog')
    .innerJoin('activityDetail', 'activityDetail.index', 'activityLog.index')
    .select(['kind', 'action', 'details', 'changes', 'topics'])
    .orderBy('activityLog.index')
    .execute();

test('an admin’s own profile is updated, with one entry in the log in the specification’s words', async () => {
  expect(await updateProfile(services, asMia, { target: mia, input: input(), key: randomUUID() })).toEqual({
    updated: true,
  });
  expect(await findProfile(services.db, mia)).toMatchObject({
    name: 'Mia Kowalski',
    phone: '0491 570 156',
    bornOn: '1984-03-19',
    version: 2,
    updatedBy: 'Mia',
  });
  expect(await entries()).toEqual([
    {
      kind: 'profile.updated',
      action: 'Profile updated',
      details: 'mia@registry.example updated',
      changes: [
        { field: 'name', from: 'Mia', to: 'Mia Kowalski' },
        { field: 'phone', from: '', to: '0491 570 156' },
        { field: 'dob', from: null, to: '1984-03-19' },
      ],
      topics: ['admins', `person:${mia.personId}`, 'logs'],
    },
  ]);
});

test('a stale form changes nothing, and says what stands there now', async () => {
  const before = (await entries()).length;
  expect(
    await updateProfile(services, asMia, { target: mia, input: input({ phone: '1' }), key: randomUUID() }),
  ).toMatchObject({
    updated: false,
    reason: 'stale',
    now: { phone: '0491 570 156', version: 2 },
  });
  expect((await entries()).length).toBe(before);
});

test('the same form sent eight times at once has one effect', async () => {
  const before = (await entries()).length;
  const key = randomUUID();
  const answers = await Promise.all(
    Array.from({ length: 8 }, () =>
      updateProfile(services, asMia, { target: mia, input: input({ phone: '2', version: '2' }), key }),
    ),
  );
  expect(answers.every(({ updated }) => updated)).toBe(true);
  expect((await entries()).length).toBe(before + 1);
});

test('an unchanged form is no entry', async () => {
  const before = (await entries()).length;
  expect(
    await updateProfile(services, asMia, { target: mia, input: input({ phone: '2', version: '3' }), key: undefined }),
  ).toEqual({
    updated: true,
  });
  expect((await entries()).length).toBe(before);
});

test('a technician keeps theirs: the name is the representative’s', async () => {
  const answer = await updateProfile(services, asTech, {
    target: tech,
    input: input({ name: 'Jo Nguyen', gender: 'x' }),
    key: undefined,
  });
  expect(answer).toEqual({ updated: true });
  expect(await findProfile(services.db, tech)).toMatchObject({ name: 'Jo Nguyen', phone: '0491 570 156', gender: 'x' });
});

test('a picture comes from one’s own upload only, and only the person and admins see it', async () => {
  const bytes = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#a01414' } })
    .png()
    .toBuffer();
  const upload = await addTemporaryUpload(services, tech.personId, {
    role: 'image',
    upload: { name: '../me.png', bytes },
  });
  if (!upload.added) throw new Error(upload.reason);
  const image = { image: upload.id };
  expect(
    await updateProfile(services, asMia, { target: mia, input: input({ ...image, version: '3' }), key: undefined }),
  ).toMatchObject({
    reason: 'image-missing',
  });
  const now = await findProfile(services.db, tech);
  expect(
    await updateProfile(services, asTech, {
      target: tech,
      input: input({ ...image, version: String(now?.version) }),
      key: undefined,
    }),
  ).toEqual({ updated: true });
  const file = await services.db
    .selectFrom('storedFile')
    .select('storageKey')
    .where('id', '=', (await findProfile(services.db, tech))?.imageId ?? '')
    .executeTakeFirstOrThrow();
  expect(file.storageKey).toMatch(/^admins\/j,nguyen@scales,example\/[0-9a-f]{64}\.png$/);

  expect((await portrait(services, asTech, tech.personId))?.headers.get('content-type')).toBe('image/webp');
  expect(await portrait(services, asMia, tech.personId)).toBeDefined();
  const other = await addPerson(services.db, 'technician', 'other@scales.example');
  const asOther = (await signedIn(services, other.email)).who;
  expect(await portrait(services, asOther, tech.personId)).toBeUndefined();
});

test('an address with signs that no storage key holds keeps a picture too', async () => {
  const dan = await addPerson(services.db, 'technician', "d.o'brien@scales.example");
  const asDan = (await signedIn(services, dan.email)).who;
  const bytes = await sharp({ create: { width: 4, height: 3, channels: 3, background: '#a01414' } })
    .png()
    .toBuffer();
  const upload = await addTemporaryUpload(services, dan.personId, { role: 'image', upload: { name: 'me.png', bytes } });
  if (!upload.added) throw new Error(upload.reason);
  expect(
    await updateProfile(services, asDan, {
      target: dan,
      input: input({ image: upload.id, version: '1' }),
      key: undefined,
    }),
  ).toEqual({
    updated: true,
  });
  expect(await portrait(services, asDan, dan.personId)).toBeDefined();
});

test.each([
  [{ name: ' ' }, 'name', 'Enter a name.'],
  [{ name: 'x'.repeat(201) }, 'name', 'Use at most 200 characters.'],
  [{ dob: '1984-02-30' }, 'dob', 'Enter a date such as 14 May 1980.'],
  [{ dob: '2999-01-01' }, 'dob', 'Enter a date such as 14 May 1980.'],
  [{ notes: 'x'.repeat(4001) }, 'notes', 'Use at most 4,000 characters.'],
])('%j is refused at its field', (given, field, message) => {
  const parsed = profileSchema.safeParse({ name: 'Mia', ...given });
  expect(parsed.error?.issues.map((issue) => [issue.path[0], issue.message])).toEqual([[field, message]]);
});

test('sent again with its picture after a lost answer, it is the same form', async () => {
  const ada = await addPerson(services.db, 'admin', 'ada@registry.example', { name: 'Ada' });
  const asAda = (await signedIn(services, ada.email)).who;
  const bytes = await sharp({ create: { width: 4, height: 3, channels: 3, background: '#a01414' } })
    .png()
    .toBuffer();
  const key = randomUUID();
  for (let sent = 1; sent <= 2; sent += 1) {
    // Like the form's action: the stored record, and the picture uploaded with the form.
    const known = await findProfile(services.db, ada);
    const upload = await addTemporaryUpload(services, ada.personId, {
      role: 'image',
      upload: { name: 'me.png', bytes },
    });
    if (known === undefined || !upload.added) throw new Error('not set up');
    expect(await updateProfile(services, asAda, { target: known, input: input({ image: upload.id }), key })).toEqual({
      updated: true,
    });
  }
  expect((await findProfile(services.db, ada))?.version).toBe(2);
});
