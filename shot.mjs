import { chromium } from '@playwright/test';
const [,, path, width='1280', out='/tmp/shot.png', who='', dark=''] = process.argv;
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium' });
const page = await browser.newPage({ viewport: { width: Number(width), height: 900 }, colorScheme: dark ? 'dark':'light', deviceScaleFactor: Number(width) < 500 ? 2 : 1 });
page.on('console', m => { if (['error','warning'].includes(m.type())) console.log(m.type(), m.text()); });
const base='http://127.0.0.1:4712';
if (who) { const [e,p]=who.split('|'); await page.goto(base+'/login'); await page.getByLabel('Email').fill(e); await page.getByLabel('Password',{exact:true}).fill(p); await page.getByRole('button',{name:'Submit'}).click(); await page.waitForURL('**/dashboard'); }
await page.goto(base+path);
const card = process.env.CARD;
if (card) await page.locator(card).first().screenshot({ path: out }); else await page.screenshot({ path: out, fullPage: true });
console.log(await page.evaluate(() => document.documentElement.scrollWidth));
await browser.close();
