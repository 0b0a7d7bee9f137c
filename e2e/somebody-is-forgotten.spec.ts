// An admin erases the personal data of somebody who was removed, with a reason.
import { sql } from 'kysely';
import { enterLeaves } from '#test/leaves.ts';
import { newPerson, signInAs } from './people.ts';
import { expect, hydrated, test } from './registry.ts';

const keyOf = (email: string) => email.replaceAll('.', ',');

test('a removed technician is erased, and every trace of the address with them', async ({ page, registry, quiet }) => {
  quiet.allow(/status of (400|410)/);
  const { db } = registry;
  const somebody = await newPerson(registry, 'technician', { name: 'Wilhelmina Quist' });
  await enterLeaves(db);
  await signInAs(page, await newPerson(registry, 'admin'));
  const place = '/technicians';
  // A person with access must be removed first.
  await page.goto(`${place}/erase/${keyOf(somebody.email)}`);
  await expect(page).toHaveURL(new RegExp(`${place}/view/`));
  await page.goto(`${place}/delete/${keyOf(somebody.email)}`);
  await hydrated(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.waitForURL(`**${place}`);

  await page.goto(`${place}/view/${keyOf(somebody.email)}`);
  await hydrated(page);
  await page.getByRole('link', { name: 'Erase their personal data' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Erase the personal data of Wilhelmina Quist');
  await page.getByRole('button', { name: 'Erase' }).click();
  await expect(page.getByText('Enter the reason.').last()).toBeVisible();
  await page.getByLabel('Reason').fill('They asked for it in writing.');
  await page.getByRole('button', { name: 'Erase' }).click();
  await page.waitForURL(`**${place}`);
  await expect(page.locator('.toast').filter({ hasText: 'Personal data erased.' })).toBeVisible();

  const again = await page.request.get(`${place}/erase/${keyOf(somebody.email)}`);
  expect(again.status()).toBe(404);
  const { rows } = await sql`select from actor where name like 'Wilhelmina%' or email = ${somebody.email}
    union all select from technician where email = ${somebody.email} or rep_name like 'Wilhelmina%'
    union all select from admin where email = ${somebody.email} or name like 'Wilhelmina%'
    union all select from leaf_opening where value::text like '%Wilhelmina%'
    union all select from activity_detail where details like ${`%${somebody.email}%`}`.execute(db);
  expect(rows).toEqual([]);
  await page.goto('/logs');
  await expect(page.getByText('Personal data erased: They asked for it in writing.').first()).toBeVisible();
  const { email } = await db
    .selectFrom('technician')
    .select('email')
    .where('personId', '=', somebody.personId)
    .executeTakeFirstOrThrow();
  await page.goto(`/technicians/view/${keyOf(email)}`);
  await expect(
    page.getByText(/Their personal data was erased on .* The record itself was not altered\./),
  ).toBeVisible();
});
