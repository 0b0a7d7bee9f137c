// The fields of email addresses that cannot be changed, on every form of the product.
import { ROWS } from './forms-table.ts';
import { newPerson, signInAs } from './people.ts';
import { expect, test } from './registry.ts';

test('each is a box for an email, so that a device shows and reads it as one', async ({ page, registry }) => {
  const admin = await newPerson(registry, 'admin');
  await signInAs(page, admin);
  const found: [form: string, type: string][] = [];
  for (const row of ROWS) {
    if (row.isPublic !== undefined || row.button === 'Logout') continue;
    await page.goto(await row.open({ page, registry, admin }));
    const boxes = await page
      .locator('input[readonly]')
      .evaluateAll((inputs: HTMLInputElement[]) =>
        inputs.flatMap(({ name, value, type }) => (name === 'email' || value.includes('@') ? [type] : [])),
      );
    for (const type of boxes) found.push([row.route, type]);
  }
  expect(found).toEqual([
    ['people/routes/update-profile.tsx', 'email'],
    ['admins/routes/update.tsx', 'email'],
    ['applications/routes/view.tsx', 'email'],
  ]);
});
