// Every page of the back office fits a narrow phone, whatever the longest values that its forms take.
import { findOrAddActor } from '#app/activity-log/actor.server.ts';
import { appendActivities } from '#app/activity-log/append-activity.server.ts';
import { tooWide } from './fits.ts';
import { newPerson, signInAs } from './people.ts';
import { expect, test } from './registry.ts';

const W = (length: number) => 'W'.repeat(length);
const REGO = W(20);
const emailOf = (name: string) => `${name}${W(64 - name.length)}@${W(60)}.${W(60)}.${W(59)}.example`.toLowerCase();
const keyOf = (email: string) => email.replaceAll('.', ',');

test('with the longest values no page is wider than 320 or 390 px', async ({ page, registry, quiet }) => {
  test.setTimeout(240_000);
  quiet.allow(/status of 4(04|10)/);
  const { db } = registry;
  const company = {
    companyName: W(200),
    abn: W(20),
    tradeLicenceNum: W(60),
    address: W(300),
    repName: W(200),
    repContact: W(60),
  };
  const technician = await newPerson(registry, 'technician');
  const admin = await newPerson(registry, 'admin', { name: W(200) });
  const [techEmail, adminEmail, applicant] = [emailOf('tech'), emailOf('admin'), emailOf('applicant')];
  const { id: personId } = await db
    .insertInto('person')
    .values({ email: techEmail })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { id: technicianId } = await db
    .insertInto('technician')
    .values({ personId, email: techEmail, ...company })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { id: decidedBy } = await db.selectFrom('actor').select('id').limit(1).executeTakeFirstOrThrow();
  await db
    .insertInto('suspension')
    .values({ technicianId, fromOn: '2026-01-01', reason: W(500), decidedBy, decidedAt: new Date() })
    .execute();
  const other = await db.insertInto('person').values({ email: adminEmail }).returning('id').executeTakeFirstOrThrow();
  await db
    .insertInto('admin')
    .values({
      personId: other.id,
      email: adminEmail,
      name: W(200),
      phone: W(60),
      address: W(300),
      roleLabel: W(100),
      gender: W(60),
      notes: W(4000),
    })
    .execute();
  await db
    .insertInto('application')
    .values({ email: applicant, requestedAt: new Date(), ...company })
    .execute();
  const { id: vehicleId } = await db
    .insertInto('vehicle')
    .values({
      rego: REGO,
      vin: W(30),
      make: W(60),
      model: W(60),
      companyName: W(200),
      driverName: W(200),
      scaleSerialNumber: W(100),
      fittedLocation: W(200),
      notes: W(4000),
      calibrationValidated: true,
      nextCalibrationDueOn: '1990-01-01',
      lastCalibratedAt: new Date('1989-01-01T00:00:00Z'),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('vehicle')
    .values({ rego: W(19), companyName: W(200), deletedAt: new Date() })
    .execute();
  await db.transaction().execute(async (tx) => {
    const actorId = await findOrAddActor(tx, { personId, name: W(200), email: techEmail });
    for (const [index, axle] of (['STEER', 'DRIVE', 'TRAILERA'] as const).entries())
      await tx
        .insertInto('calibration')
        .values({
          rego: REGO,
          id: 1000 + index,
          vehicleId,
          axle,
          attribute: 'Loaded Weight',
          value: '12345.678',
          calibratedAt: new Date(1000 + index),
          technicianId: actorId,
        })
        .execute();
    await appendActivities(tx, [
      {
        kind: 'vehicle.updated',
        actorId,
        subject: 'vehicle',
        subjectId: vehicleId,
        details: `${REGO} updated: ${W(400)}`,
        changes: [{ field: 'notes', from: W(900), to: W(900) }],
        rego: REGO,
      },
    ]);
  });
  const forBoth = [
    '/dashboard',
    '/vehicles/new',
    `/vehicles/update/${REGO}`,
    `/vehicles/calibrate/${REGO}`,
    `/vehicles/follow/${REGO}`,
    `/calibrations/${REGO}/1000`,
    `/calibrations/correct/${REGO}/1000`,
    '/my-calibrations',
    '/my-profile',
    '/profile/update',
    '/settings',
    '/settings/second-factor',
    '/settings/tell',
    '/new-password',
  ];
  const forAdmins = [
    `/vehicles/delete/${REGO}`,
    `/vehicles/validate/${REGO}`,
    '/admins',
    '/admins/new',
    `/admins/view/${keyOf(adminEmail)}`,
    `/admins/update/${keyOf(adminEmail)}`,
    `/admins/delete/${keyOf(adminEmail)}`,
    '/applications',
    `/applications?q=${W(100)}`,
    `/applications/view/${keyOf(applicant)}`,
    `/applications/view/${keyOf(applicant)}?approve`,
    `/applications/delete/${keyOf(applicant)}`,
    '/technicians',
    `/technicians/view/${keyOf(techEmail)}`,
    `/technicians/delete/${keyOf(techEmail)}`,
    `/technicians/suspend/${keyOf(techEmail)}`,
    `/technicians/reinstate/${keyOf(techEmail)}`,
    `/technicians/licence/${keyOf(techEmail)}`,
    '/logs',
    `/logs?record=${REGO}`,
    '/settings/jobs',
    '/settings/policy',
    '/settings/policy/proposal',
  ];
  for (const [person, pages] of [
    [technician, forBoth],
    [admin, [...forBoth, ...forAdmins]],
  ] as const) {
    await page.context().clearCookies();
    await signInAs(page, person);
    for (const address of pages) {
      await page.goto(address);
      await page.locator('main details').evaluateAll((all) => {
        for (const details of all) details.setAttribute('open', '');
      });
      for (const width of [320, 390]) {
        await page.setViewportSize({ width, height: 800 });
        expect.soft([address.slice(0, 40), width, await tooWide(page)]).toEqual([address.slice(0, 40), width, []]);
      }
    }
  }
});

test('the calibration dialog fits 320 px with the longest rego', async ({ page, registry }) => {
  const rego = 'M'.repeat(20);
  await registry.db.insertInto('vehicle').values({ rego }).execute();
  await signInAs(page, await newPerson(registry, 'technician'));
  await page.setViewportSize({ width: 320, height: 800 });
  await page.goto(`/vehicles/view/${rego}?calibrate`);
  await expect(page.getByRole('dialog', { name: 'Calibrate' })).toBeVisible();
  expect(await tooWide(page)).toEqual([]);
});

test('a search for the longest rego does not widen the page at 320 px', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 800 });
  await page.goto(`/search?q=${'M'.repeat(20)}`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
});
