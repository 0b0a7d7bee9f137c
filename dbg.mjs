import { chromium } from '@playwright/test';
const b = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox','--disable-gpu'] });
const p = await (await b.newContext({ baseURL: 'http://127.0.0.1:3111' })).newPage();
const s=new Set(); p.on('request', r=> r.resourceType()==='script' && s.add(r.url().split('/').pop()));
for (const a of ['/','/search?q=X','/vehicles/view/XV04KL','/vehicles/view/XV04KL?image=2','/about','/nothing']) { await p.goto(a); await p.waitForTimeout(1500);}
console.log([...s].join('\n'));
await b.close();
