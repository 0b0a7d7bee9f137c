import { chromium } from '@playwright/test';
const [,, path, out] = process.argv;
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium' });
const page = await browser.newPage();
await page.goto('http://127.0.0.1:4712'+path);
await page.pdf({ path: out, preferCSSPageSize: true });
await browser.close();
