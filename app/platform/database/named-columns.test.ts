import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

test('no SQL but that of `named` names columns in camel case', async () => {
  const found: string[] = [];
  for (const folder of ['app', 'server', 'commands', 'database'])
    for (const file of await readdir(folder, { recursive: true })) {
      if (!/\.tsx?$/.test(file) || file.includes('.test.')) continue;
      if (/\sas "[a-z]+[A-Z]/.test(await readFile(`${folder}/${file}`, 'utf8'))) found.push(`${folder}/${file}`);
    }
  expect(found).toEqual(['app/platform/database/named-columns.server.ts']);
});
