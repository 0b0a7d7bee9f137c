import { expect, test } from 'vitest';
import { hasPaperReaders, infoOf, textOf } from '#test/paper-readers.ts';
import { makePdf, REGULAR } from './pdf.server.ts';

const MARGINS = { top: 20, bottom: 20, left: 20, right: 20 };

test.runIf(hasPaperReaders()).each([
  ['Nguyễn Žďár Ελένη Юлия', 'Nguyễn Žďár Ελένη Юлия'],
  ['王小明', '[see the page]'],
  ['王 小明 Haulage', '[see the page] Haulage'],
  ['محمد علي', '[see the page]'],
  ['דוד Pty', '[see the page] Pty'],
  ['สมชาย', '[see the page]'],
  ['Bob’s 🚛🚛 Trucks 👷🏽‍♀️', 'Bob’s [see the page] Trucks [see the page]'],
  ['1️⃣ 🇦🇺', '1[see the page]'],
])('%s is readable, or the paper says where it is', async (name, shownAs) => {
  const pdf = await makePdf({ title: name, author: name, size: [500, 100], margins: MARGINS }, ({ doc, shown }) => {
    doc.addPage();
    doc.font(REGULAR).text(shown(name));
  });
  expect((await textOf(pdf)).join('').trim()).toBe(shownAs);
  expect(await infoOf(pdf)).toMatchObject({ Title: shownAs, Author: shownAs });
});
