import { expect, test } from 'vitest';
import { ROW_ICONS } from './row-icon.tsx';

type Node = [element: string, attributes: Record<string, string>];

// A path that begins with `m` begins absolutely all the same; behind another path it would not.
function pathOf([element, { d = '', cx, cy, r, x1, x2, y1, y2 }]: Node): string {
  if (element === 'path') return d.replace(/^m(-?[\d.]+) ?(-?[\d.]+) ?(?=[-\d])/, 'M$1 $2l');
  if (element === 'line') {
    const by = (from = '', to = '') =>
      String(Number((Number(to) - Number(from)).toFixed(3))).replace(/^(-?)0\./, '$1.');
    return x1 === x2 ? `M${x1} ${y1}v${by(y1, y2)}` : `M${x1} ${y1}h${by(x1, x2)}`;
  }
  expect(element).toBe('circle');
  const radius = Number(r);
  return `M${Number(cx) - radius} ${cy}a${r} ${r} 0 1 0 ${2 * radius} 0 ${r} ${r} 0 1 0-${2 * radius} 0`;
}

test.each(Object.entries(ROW_ICONS))('%s is Lucide’s', async (name, path) => {
  const { __iconData: data } = await import(`../../node_modules/lucide-react/dist/esm/icons/${name}.mjs`);
  const nodes: Node[] = data.node;
  expect(path).toBe(nodes.map(pathOf).join(''));
});
