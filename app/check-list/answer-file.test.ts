import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { attachedTo, hasPaperReaders, textOf } from '#test/paper-readers.ts';
import { createTestServices, type TestServices } from '#test/services.ts';
import { answerFile } from './answer-file.server.ts';

let services: TestServices;
beforeAll(async () => {
  services = await createTestServices();
});
afterAll(() => services.stop());

const fileOf = (file: string, list: string) =>
  answerFile(services, {
    request: new Request('http://127.0.0.1/check', { method: 'POST', body: new URLSearchParams({ list }) }),
    file,
    client: '192.0.2.1',
    origin: 'http://127.0.0.1',
  });

test('the whole answer as CSV, and as a receipt', async () => {
  const csv = await fileOf('answer.csv', 'NONE1\nNONE2');
  expect([csv.status, (await csv.text()).trimEnd().split('\r\n').length]).toEqual([200, 3]);
  const receipt = await fileOf('receipt.pdf', 'NONE1\nNONE2');
  expect([receipt.status, receipt.headers.get('content-type')]).toEqual([200, 'application/pdf']);
  expect(
    Buffer.from(await receipt.arrayBuffer())
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-');
});

test.runIf(hasPaperReaders())(
  'a receipt of any list has the whole answer attached',
  async () => {
    const list = Array.from({ length: 10_000 }, (_, n) => `NONE${n}`).join('\n');
    const pdf = new Uint8Array(await (await fileOf('receipt.pdf', list)).arrayBuffer());
    const words = (await textOf(pdf)).join('\n');
    const csv = (await attachedTo(pdf)).get('answer.csv') ?? Buffer.of();
    expect(csv.toString().trimEnd().split('\r\n')).toHaveLength(10_001);
    expect(words.replaceAll(/\s/g, '')).toContain(createHash('sha256').update(csv).digest('hex'));
    expect(words).toContain('The first 1,000 lines.');
    expect([words.includes('NONE999'), words.includes('NONE1000')]).toEqual([true, false]);
  },
  60_000,
);

test.each([
  ['answer.txt', 'NONE1', 404, 'no-such-file'],
  ['answer.csv', '', 400, 'list-invalid'],
])('%s is refused in a sentence', async (file, list, status, code) => {
  const answer = await fileOf(file, list);
  expect([answer.status, await answer.json()]).toEqual([status, expect.objectContaining({ code })]);
});
