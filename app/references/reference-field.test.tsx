import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import { ReferenceField } from './reference-field.tsx';

test('without scripts it is a text field beside an empty id, and a refused form shows both again', () => {
  const empty = renderToString(<ReferenceField />);
  expect(empty).toContain('name="weighbridge"');
  expect(empty).toContain('<input type="hidden" name="reference_id" value=""/>');
  const line = 'Example Creek, Example Creek VIC';
  const again = renderToString(<ReferenceField defaultValue={line} defaultId="x" error="Which one?" />);
  expect(again).toContain(`value="${line}"`);
  expect(again).toContain('name="reference_id" value="x"');
  expect(again).toMatch(/aria-invalid="true"[^]*Which one\?/);
});
