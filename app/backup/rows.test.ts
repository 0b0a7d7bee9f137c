import { expect, test } from 'vitest';
import { countRows } from './check-parts.server.ts';
import { cutRows } from './rows.server.ts';

const ROWS = Array.from({ length: 200 }, (_, nth) => `${'x'.repeat((nth * 7) % 23)}\t${nth}\n`).join('');

async function blocksOf(pieceBytes: number, blockBytes: number): Promise<string[]> {
  const bytes = Buffer.from(ROWS);
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
  }
  const blocks: string[] = [];
  for await (const block of cutRows(pieces(), blockBytes)) blocks.push(block.toString());
  return blocks;
}

test('the same rows give the same blocks, of whole rows, in whatever pieces they come', async () => {
  for (const blockBytes of [1, 10, 100, 1000, 100_000]) {
    const blocks = await blocksOf(1, blockBytes);
    expect(blocks.join('')).toBe(ROWS);
    for (const [at, block] of blocks.entries()) {
      expect(block.endsWith('\n')).toBe(true);
      if (at < blocks.length - 1) expect(block.length).toBeGreaterThanOrEqual(blockBytes);
      expect(block.slice(0, -1).lastIndexOf('\n') + 1).toBeLessThan(blockBytes);
    }
    for (const pieceBytes of [2, 33, 500, 1e6]) expect(await blocksOf(pieceBytes, blockBytes)).toEqual(blocks);
    expect(blocks.reduce((sum, block) => sum + countRows(Buffer.from(block)), 0)).toBe(200);
  }
});
