// The former register knew only the day of some events. No page shows a time for them.
import { findOrAddActor } from '#app/activity-log/actor.server.ts';
import { appendActivities } from '#app/activity-log/append-activity.server.ts';
import { formatDay, instantOfDay } from '#app/platform/time/calendar.ts';
import { newPerson, sessionOf } from './people.ts';
import { expect, test } from './registry.ts';

const DAY = '2025-05-12';

test('what is known by its day only has no time, on any page', async ({ registry }) => {
  const { db } = registry;
  const midnight = instantOfDay(DAY, 'Australia/Sydney');
  const id = midnight.getTime();
  await registry.importMore({
    Vehicles: {
      DAY1: {
        rego: 'DAY1',
        added_at: DAY,
        updated_at: DAY,
        calibrations: {
          [id]: { axle_type: 'STEER', calibration_attribute: 'Empty Volt', calibration_value: '0.84' },
        },
      },
    },
    Technicians: { 'day1@site,example': { email: 'day1@site.example', company_name: 'Day', requested_at: DAY } },
    Applications: { 'day2@site,example': { email: 'day2@site.example', company_name: 'Day', requested_at: DAY } },
  });
  const admin = await newPerson(registry, 'admin');
  const technician = await newPerson(registry, 'technician');
  const dates = { addedAt: midnight, updatedAt: midnight };
  await db.updateTable('admin').set(dates).where('personId', '=', admin.personId).execute();
  const { id: vehicleId } = await db
    .insertInto('vehicle')
    .values({ rego: 'DAY2' })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db.transaction().execute(async (tx) => {
    const by = await findOrAddActor(tx, { personId: admin.personId, name: admin.name, email: admin.email });
    await appendActivities(tx, [{ kind: 'profile.updated', actorId: by, origin: 'imported', occurredAt: midnight }]);
    const technicianId = await findOrAddActor(tx, { ...technician });
    const reading = { axle: 'STEER', attribute: 'Empty Volt', value: '0.84', calibratedAt: midnight } as const;
    await tx
      .insertInto('calibration')
      .values({ rego: 'DAY2', id, vehicleId, technicianId, ...reading })
      .execute();
  });
  for (const [person, pages] of [
    [
      admin,
      [
        '/vehicles/view/DAY1',
        `/calibrations/DAY1/${id}`,
        '/technicians/view/day1@site,example',
        '/applications/view/day2@site,example',
        `/admins/view/${admin.email.replaceAll('.', ',')}`,
        '/my-profile',
        '/profile/update',
        `/logs?who=${admin.email}`,
      ],
    ],
    [technician, ['/my-calibrations', '/dashboard', `/calibrations/DAY2/${id}`]],
  ] as const) {
    const { cookie } = await sessionOf(registry, person);
    for (const path of pages) {
      const answer = await fetch(`${registry.url}${path}`, { headers: { cookie } });
      const page = await answer.text();
      expect([path, answer.status, page.includes(formatDay(DAY))]).toEqual([path, 200, true]);
      expect([path, /.{30}12:00.am.{30}/.exec(page)?.[0]]).toEqual([path, undefined]);
    }
  }
});
