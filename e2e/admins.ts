// What the stories about admins share.
import type { Page } from '@playwright/test';
import sharp from 'sharp';
import type { StartedRegistry } from '#test/start-registry.ts';

let made = 0;
export const newEmail = (): string => `added${(made += 1)}.${process.pid}@registry.example`;
/** The password that an admin is given by another. */
export const GIVEN = 'nine green weighbridges';
export const picture = (): Promise<Buffer> =>
  sharp({ create: { width: 300, height: 300, channels: 3, background: '#0b4da2' } })
    .jpeg()
    .toBuffer();

/** A page in a separate browser context, with the registry's address as its base. */
export async function otherBrowser(page: Page, registry: StartedRegistry): Promise<Page> {
  const context = await page.context().browser()?.newContext({ baseURL: registry.url });
  if (context === undefined) throw new Error('no browser');
  return context.newPage();
}
