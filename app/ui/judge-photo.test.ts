import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { nameAsJpeg, scaledSize } from './judge-photo.ts';

test('a photo of 12 megapixels is scaled in its shape, and a small picture is not touched', () => {
  expect(scaledSize(4032, 3024)).toEqual({ width: 2000, height: 1500 });
  expect(scaledSize(3024, 4032)).toEqual({ width: 1500, height: 2000 });
  expect(scaledSize(9000, 1)).toEqual({ width: 2000, height: 1 });
  expect([scaledSize(2000, 1500), scaledSize(1, 1)]).toEqual([undefined, undefined]);
});

test('what is scaled is a JPEG, and is called so', () => {
  expect(['IMG_1.HEIC.png', 'IMG_2.heic', 'ticket.JPG', 'ticket'].map(nameAsJpeg)).toEqual([
    'IMG_1.HEIC.jpg',
    'IMG_2.jpg',
    'ticket.jpg',
    'ticket.jpg',
  ]);
});

test('each field of people with an account that takes pictures judges them', async () => {
  const app = path.resolve(import.meta.dirname, '..');
  const scaling: [field: string, scales: boolean][] = [];
  for await (const file of glob('**/*.tsx', { cwd: app })) {
    const source = await readFile(path.join(app, file), 'utf8');
    if (/type="file"/.test(source) && /PHOTO_TYPES|image/.test(source))
      scaling.push([file, source.includes('await judgePhoto(')]);
  }
  expect(scaling.toSorted()).toEqual([
    ['field/phone-photos.tsx', true],
    ['ui/upload-field.tsx', true],
    // A stranger's form: its files travel with it, without a script.
    ['wrong-records/report-view.tsx', false],
  ]);
});
