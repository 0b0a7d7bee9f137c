import { chromium } from '@playwright/test';
const b = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox','--disable-gpu'] });
const who = { admin: ['/login','mia.kowalski@registry.example','gravel weighs more wet'], tech: ['/tech-login','j.nguyen@northernscales.example','two axles and a trailer'] };
for (const [role, [login, email, pw]] of Object.entries(who)) {
  if (process.argv[3] && process.argv[3] !== role) continue;
  const ctx = await b.newContext({ baseURL: 'http://127.0.0.1:3111', colorScheme: process.argv[4] || 'light' });
  const p = await ctx.newPage();
  await p.goto(login);
  await p.getByLabel('Email').fill(email);
  await p.getByLabel('Password', { exact: true }).fill(pw);
  await p.getByRole('button', { name: 'Submit' }).click();
  await p.waitForURL('**/dashboard');
  for (const a of process.argv[2].split(' ')) for (const w of [1280, 390]) {
    await p.setViewportSize({ width: w, height: 860 });
    await p.goto(a); await p.waitForTimeout(900);
    await p.screenshot({ path: `/tmp/shots/${role}${a.replace(/[^A-Za-z0-9]/g,'_')}-${w}${process.argv[4]||''}.png`, fullPage: !a.includes('calibrate') });
  }
}
await b.close();
