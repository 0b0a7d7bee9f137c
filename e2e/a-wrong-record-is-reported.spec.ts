// The life of a report at 390 px: an owner sends it and confirms it by mail, an admin passes it on, the technician
// answers, an admin decides with the act behind it, the owner asks for a second look, and another admin takes it.
import type { Browser, BrowserContextOptions, Page } from '@playwright/test';
import type { StartedRegistry } from '#test/start-registry.ts';
import { tooWide } from './fits.ts';
import { mailTo } from './mails.ts';
import { newPerson, signInAs, type Person } from './people.ts';
import { expect, hydrated, test } from './registry.ts';
import { newRego, PDF } from './vehicles.ts';
import { recordSet, truck } from './visits.ts';

const WORDS = 'The truck stood in Swan Hill all day.';

/** A page of 390 px of its own, as each of them has. */
async function phone(browser: Browser, registry: StartedRegistry, more: BrowserContextOptions): Promise<Page> {
  const viewport = { width: 390, height: 844 };
  const context = await browser.newContext({ baseURL: registry.url, viewport, ...more });
  return context.newPage();
}

async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
  expect(await tooWide(page)).toEqual([]);
}

const mailed = async ({ dataDir }: StartedRegistry, email: string, part: string): Promise<string> =>
  /\/reports\/[\w/-]{43,}/.exec(await mailTo(dataDir, email, part))?.[0] ?? '';

for (const javaScriptEnabled of [true, false])
  test(`a wrong record is reported and decided ${javaScriptEnabled ? 'with' : 'without'} scripts`, async ({
    browser,
    registry,
  }) => {
    const isReady = async (page: Page) => (javaScriptEnabled ? hydrated(page) : undefined);
    const as = async (person: Person): Promise<Page> => {
      const page = await phone(browser, registry, { javaScriptEnabled });
      await signInAs(page, person);
      return page;
    };
    const technician = await newPerson(registry, 'technician');
    const first = await newPerson(registry, 'admin', { name: 'Ada First' });
    const second = await newPerson(registry, 'admin', { name: 'Ben Second' });
    const rego = await truck(registry, newRego());
    await recordSet(registry, technician, rego, 2);
    const email = `dana.${rego.toLowerCase()}@malleegrain.example`;

    const owner = await phone(browser, registry, { javaScriptEnabled });
    await open(owner, `/vehicles/view/${rego}`);
    await isReady(owner);
    await owner.getByRole('link', { name: 'Report a wrong record' }).click();
    await expect(owner.getByRole('heading', { name: 'Report a wrong record' })).toBeVisible();
    await isReady(owner);
    await owner.getByRole('button', { name: 'Send report' }).click();
    await expect(owner.getByText('Choose what is wrong.').first()).toBeVisible();
    await owner.getByText('The weighing never took place').click();
    await owner.getByLabel('What do you know about it?').fill(WORDS);
    await owner.getByRole('textbox', { name: 'Your email' }).fill(email);
    await owner
      .getByLabel('Photos or a PDF')
      .setInputFiles({ name: 'gate.pdf', mimeType: 'application/pdf', buffer: PDF });
    await owner.getByRole('button', { name: 'Send report' }).click();
    await expect(owner.getByRole('heading', { name: 'Received' })).toBeVisible();
    await expect(owner.getByText('Nobody reads the report before you press it.')).toBeVisible();
    await expect(owner.getByRole('button', { name: 'Confirm the report' })).toHaveCount(0);
    expect(await tooWide(owner)).toEqual([]);
    const file = (await owner.getByRole('link', { name: 'gate.pdf' }).getAttribute('href')) ?? '';
    expect((await owner.request.get(file)).headers()['content-type']).toBe('application/pdf');

    const address = await mailed(registry, email, 'Nobody reads it before you confirm it');
    await open(owner, address);
    await isReady(owner);
    await owner.getByRole('button', { name: 'Confirm the report' }).click();
    await expect(owner.getByRole('heading', { name: 'Confirmed' })).toBeVisible();

    const ada = await as(first);
    await open(ada, '/reports');
    const number = /R-\d{4}-\d{4}/.exec((await owner.textContent('main')) ?? '')?.[0] ?? '';
    await isReady(ada);
    await ada.getByRole('link', { name: number }).click();
    await expect(ada.getByText(WORDS)).toBeVisible();
    await expect(ada.getByText(email)).toHaveCount(0);
    await isReady(ada);
    await ada.getByRole('button', { name: 'Pass it on' }).click();
    await expect(ada.getByRole('heading', { name: 'With the technician' })).toBeVisible();
    expect(await tooWide(ada)).toEqual([]);
    const page = new URL(ada.url()).pathname;

    await open(owner, `/vehicles/view/${rego}`);
    await expect(owner.getByText('A report is open since')).toBeVisible();
    await expect(owner.getByText(WORDS)).toHaveCount(0);

    const jo = await as(technician);
    await open(jo, page.replace('/reports/', '/my-reports/'));
    await isReady(jo);
    expect((await jo.request.get(page, { maxRedirects: 0 })).status()).toBe(403);
    await jo.getByLabel('What do you say to it?').fill('It was the 13th.');
    await jo.getByRole('button', { name: 'Send the answer' }).click();
    await expect(jo.getByRole('heading', { name: 'Answered' })).toBeVisible();

    await open(ada, page);
    await isReady(ada);
    await expect(ada.getByText('It was the 13th.')).toBeVisible();
    await ada.getByLabel('Decision, and the act behind it').selectOption('set-aside');
    await ada.getByLabel('Words to the reporter').fill('It cannot be shown.');
    await ada.getByRole('button', { name: 'Decide', exact: true }).click();
    await expect(ada.getByText('Nothing of that kind was done to the record').first()).toBeVisible();
    await expect(ada.getByLabel('Words to the reporter')).toHaveValue('It cannot be shown.');
    await ada.getByLabel('Decision, and the act behind it').selectOption('right');
    await ada.getByRole('button', { name: 'Decide', exact: true }).click();
    await expect(ada.getByRole('heading', { name: 'Decided: the record is right' })).toBeVisible();

    await open(owner, await mailed(registry, email, 'Your report is decided'));
    await isReady(owner);
    await expect(owner.getByText('It cannot be shown.')).toBeVisible();
    await expect(owner.getByText('It was the 13th.')).toHaveCount(0);
    await expect(owner.getByText('by an administrator who had no part in it')).toBeVisible();
    await owner.getByRole('button', { name: 'Ask for a second look' }).click();
    await expect(owner.getByRole('heading', { name: 'Second look' })).toBeVisible();

    await open(ada, page);
    await expect(ada.getByText('You had a part in the record, or decided this report before.')).toBeVisible();
    const ben = await as(second);
    await open(ben, page);
    await isReady(ben);
    await ben.getByLabel('Decision, and the act behind it').selectOption('right');
    await ben.getByLabel('Words to the reporter').fill('It stays.');
    await ben.getByRole('button', { name: 'Decide', exact: true }).click();
    await expect(ben.getByRole('heading', { name: 'Decided: the record is right' })).toBeVisible();

    await open(owner, '/reports/mine');
    await isReady(owner);
    await owner.getByRole('textbox', { name: 'Email' }).fill(email);
    await owner.getByRole('button', { name: 'Send me the link' }).click();
    await expect(owner.getByText('a link to them is on its way')).toBeVisible();
    await open(owner, await mailed(registry, email, 'asked for the reports of this address'));
    await isReady(owner);
    await owner.getByRole('link', { name: number }).click();
    await expect(owner.getByText('It stays.')).toBeVisible();
    await owner.goBack();
    await isReady(owner);
    await owner.getByRole('button', { name: 'Erase what you keep of me' }).click();
    await expect(owner.getByRole('button', { name: 'Send me the link' })).toBeVisible();
    expect((await owner.goto(address))?.status()).toBe(410);
  });
